//! Parts of the chapter, each in a file of its own. `cargo run -- check ch08 --part NAME` tries one on a reader's chapter, so
//! none needs more than the chapter has when the book has come to it.

mod pieces;
mod sixteen;
