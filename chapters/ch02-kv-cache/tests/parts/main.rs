//! Chapter 2, part by part as its pages bring them. `cargo run -- check ch02 --part NAME` tries one file on a reader's
//! chapter, so none needs more than the chapter has when the book has come to it.

// Each part is also compiled by itself, and brings along what it shares with another.
#![allow(clippy::duplicate_mod)]

mod basic;
mod contiguous;
mod parity;
mod passes;
