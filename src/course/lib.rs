//! What the reader's tools, the tests and the book's program share: where the chapters are.

pub mod chapters;
