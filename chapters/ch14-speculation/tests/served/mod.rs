//! This chapter's program as a server.
#![allow(dead_code)] // no file of tests uses all of it

use std::process::Command;

pub use course_tests::served::*;
use serde_json::Value;

pub fn program() -> Command {
    course_tests::served::program(env!("CARGO_BIN_EXE_ch14-speculation"))
}

/// What the command line says to these flags.
pub fn said(flags: &[&str]) -> Value {
    course_tests::served::said(program(), flags)
}

pub fn serve(flags: &[&str]) -> Served {
    Served::new(program(), flags)
}
