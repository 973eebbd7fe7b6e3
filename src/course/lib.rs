//! What the reader's tools, the tests and the book's program share: where the chapters are, and what they say of
//! themselves.

pub mod about;
pub mod chapters;
pub mod exercises;
pub mod files;
pub mod house;
pub mod hunks;
pub mod library;
pub mod limit;
pub mod pages;
pub mod problem;
pub mod suite;
pub mod thousands;
pub mod tidy;
pub mod workspace;
