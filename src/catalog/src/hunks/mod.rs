//! What a chapter changes in the one before it, item by item, and how the book shows any part of it.
//!
//! [`item`] cuts a file into named parts, [`diff`] finds what changes in each, [`select`] finds the part that a page names,
//! and [`shown`] says which lines of it a reader sees. The bookmaker makes HTML of that, and [`crate::pages`] types it.

pub mod align;
pub mod apply_hunks;
pub mod caption;
pub mod diff;
pub mod file_diff;
pub mod item;
pub mod items;
pub mod lexer;
mod rust_items;
pub mod select;
pub mod shown;
mod toml_items;
