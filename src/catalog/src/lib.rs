//! Which chapters there are, and what each says of itself: for the tools, the tests and the book.

pub mod change;
pub mod chapters;
pub mod children;
pub mod error;
pub mod examples;
pub mod files;
pub mod hunks;
pub mod library;
pub mod manifest;
pub mod pages;
pub mod repository;
pub mod rooms;
pub mod thousands;
pub mod tidy;
pub mod workspace;
