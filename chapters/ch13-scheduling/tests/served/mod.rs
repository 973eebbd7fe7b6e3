//! This chapter's program as a server.
#![allow(dead_code)] // no file of tests uses all of it

use std::process::Command;

use serde_json::Value;
pub use test_support::served::*;

pub fn program() -> Command {
    test_support::served::program(env!("CARGO_BIN_EXE_ch13-scheduling"))
}

/// What the command line says to these flags.
pub fn said(flags: &[&str]) -> Value {
    test_support::served::said(program(), flags)
}

pub fn serve(flags: &[&str]) -> Served {
    Served::new(program(), flags)
}
