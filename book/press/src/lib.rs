//! The book machine: makes what the book's pages include, checks that it is true, and carries fixes from chapter to
//! chapter.
//!
//! From source to page: [`house`] reads the chapters, [`diff`] finds what each changes, [`story`] learns from the pages which
//! part is explained where, [`generate`] makes what the pages include, [`preprocess`] gives it to mdBook, and [`check`] says
//! what is not true.

pub use course::house;
pub use course::hunks::{
    align, caption, diff, file_diff, item, lexer, select, shown, transition,
};

pub mod bench;
pub mod book;
pub mod cargo;
pub mod carry;
pub mod check;
pub mod fault;
pub mod fragment;
pub mod generate;
pub mod highlight;
pub mod include;
pub mod listing;
pub mod measured;
pub mod new;
pub mod page;
pub mod preprocess;
pub mod recorded;
pub mod rename;
mod row;
pub mod sources;
pub mod story;
pub mod title;
mod words;
