//! The book is true: nothing in it differs from the code, and nothing of the code is left out.

use std::path::Path;

use bookmaker::fault::Fault;
use bookmaker::repository::Repository;
use bookmaker::{cargo, checkpoints, proofread};

fn repository() -> Repository {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Repository::open(&root).expect("the course can be read")
}

fn assert_none(faults: Vec<Fault>) {
    let lines: Vec<String> = faults.iter().map(Fault::to_string).collect();
    assert!(lines.is_empty(), "{} faults in the book:\n{}", lines.len(), lines.join("\n"));
}

#[test]
fn every_page_is_true_and_every_line_is_explained() {
    assert_none(proofread::all(&repository()).expect("the book can be read"));
}

#[test]
#[ignore = "cargo prove: compiles the reader's copy at each page"]
fn every_checkpoint_compiles() {
    assert_none(checkpoints::compile(&repository(), None).expect("cargo can be run"));
}

#[test]
#[ignore = "cargo prove: builds and asks each step"]
fn every_step_of_a_chapter_is_an_engine_that_is_right() {
    assert_none(checkpoints::steps(&repository()).expect("cargo can be run"));
}

#[test]
#[ignore = "cargo prove: runs each command of the book"]
fn every_console_block_shows_what_its_command_prints() {
    assert_none(cargo::runs(&repository()).expect("cargo can be run"));
}
