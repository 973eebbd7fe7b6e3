//! The book machine: makes what the book's pages include, checks that it is true, and carries fixes from chapter to
//! chapter.
//!
//! From source to page: [`repository`] reads the chapters, [`diff`] finds what each changes, [`claims`] learns from the pages
//! which part is explained where, [`generate`] makes what the pages include, [`preprocess`] gives it to mdBook, and
//! [`proofread`] says what is not true.

pub use catalog::hunks::{
    align, apply_hunks, caption, diff, file_diff, item, lexer, select, shown,
};
pub use catalog::repository;

pub mod address;
pub mod book;
pub mod cargo;
pub mod carry;
pub mod checkpoints;
pub mod claims;
pub mod expression;
pub mod fault;
pub mod fold;
pub mod fragment;
pub mod generate;
pub mod highlight;
pub mod include;
mod inline_diff;
pub mod listing;
pub mod made;
pub mod measured;
pub mod new;
pub mod numbers;
pub mod page;
pub mod preprocess;
pub mod proofread;
pub mod recorded;
pub mod rename;
pub mod rooms;
mod row;
pub mod sources;
pub mod title;
