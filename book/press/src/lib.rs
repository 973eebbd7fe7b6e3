//! The book machine: makes the generated parts of the book, checks that they are true, and carries fixes from chapter
//! to chapter.
//!
//! From source to page: [`house`] reads the chapters, [`item`] cuts their files into named parts, [`diff`] finds what
//! each chapter changes, [`story`] learns from the pages which part is explained where, [`generate`] writes the
//! fragments that the pages include, and [`check`] says what is not true.

pub mod align;
pub mod bench;
pub mod book;
mod caption;
pub mod cargo;
pub mod carry;
pub mod check;
pub mod diff;
pub mod fault;
pub mod file_diff;
pub mod fragment;
pub mod generate;
pub mod highlight;
pub mod house;
pub mod item;
pub mod items;
pub mod lexer;
pub mod listing;
pub mod measured;
pub mod new;
pub mod page;
pub mod recorded;
pub mod rename;
mod row;
mod rust_items;
pub mod sources;
pub mod story;
pub mod title;
mod toml_items;
pub mod transition;
mod words;
