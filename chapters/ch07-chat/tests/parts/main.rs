//! Parts of the chapter, each in a file of its own. `cargo run -- check ch07 --part NAME` tries one on a reader's chapter, so
//! none needs more than the chapter has when the book has come to it.

mod conversation;
mod kept;
mod watch;
