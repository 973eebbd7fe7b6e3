//! The chapter's program as a server: from chapter 9 on.
#![allow(dead_code)] // no file of tests uses all of it

use std::process::Command;

use serde_json::Value;
pub use test_support::served::*;

pub fn program() -> Command {
    test_support::served::program(env!(concat!("CARGO_BIN_EXE_", env!("CARGO_PKG_NAME"))))
}

/// What the command line says to these flags.
pub fn said(flags: &[&str]) -> Value {
    test_support::served::said(program(), flags)
}

pub fn serve(flags: &[&str]) -> Served {
    Served::new(program(), flags)
}

/// A server with room for so many blocks of the tiny model: 64 positions, keys and values of 6 layers with 3 heads of 64
/// numbers, each of two bytes.
pub fn with_blocks(blocks: usize) -> Served {
    let server = serve(&["--kv-room", &(blocks * 64 * 2 * 6 * 3 * 64 * 2).to_string()]);
    assert_eq!(server.count("blocks"), blocks as u64);
    assert_eq!(server.count("blocks_in_use"), 0, "nobody has asked");
    server
}
