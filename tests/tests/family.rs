//! Qwen3-1.7B's widths and a head that isn't tied, which no model in the repository has: one layer with random weights, against
//! the reference implementation and in every way of every chapter. `tests/oracle/family.py` made the judgement, from
//!
//!     cargo run -- synth FILE --shape qwen3-1.7b --layers 1 --vocab 331 --seed 9 --untied --type f16

use std::path::{Path, PathBuf};
use std::process::Command;

use course::suite::judge::{self, Judgement};
use course::suite::{Engine, Question, build, ways};
use course_tests::root;
use tempfile::TempDir;

fn synth(folder: &Path, more: &[&str]) -> PathBuf {
    let path = folder.join(more.join(""));
    let mut command = Command::new(env!("CARGO"));
    command.args(["run", "-q", "--locked", "--", "synth"]).arg(&path);
    command.args("--shape qwen3-1.7b --layers 1 --vocab 331 --seed 9".split(' ')).args(more);
    assert!(command.current_dir(root()).status().expect("cargo runs").success());
    path
}

/// A server computes with the library of the chapter that it stands on.
fn engines() -> Vec<Engine> {
    let mut all = build::all(&root()).expect("the chapters build");
    all.retain(|engine| !engine.serves);
    all
}

#[test]
#[ignore = "cargo prove: a layer of 50 million weights in every way of every chapter"]
fn an_untied_layer_of_1_7b_is_the_judges_and_the_same_in_all_ways() {
    let folder = TempDir::new().expect("a folder");
    let model = synth(folder.path(), &["--untied", "--type=f16"]);
    for engine in engines() {
        let mut judgement = Judgement::read(&root(), "family", None).expect("the judgement");
        judgement.model_file = model.clone();
        // Keys and values in sixteen bits are another function, though not by more than this.
        if engine.judge.as_deref() == Some("f16") {
            judgement.tolerance = Some(1e-3);
            judgement.cases.iter_mut().for_each(|case| case.sure = Some(0));
        }
        judge::agrees(&engine, &judgement)
            .and_then(|()| ways::agree(&engine, &judgement))
            .unwrap_or_else(|wrong| panic!("\n{wrong}"));
    }
}

#[test]
#[ignore = "cargo prove: a layer of 50 million weights in every way of every chapter"]
fn the_usual_mixture_of_types_gives_the_same_bits_in_all_ways() {
    let folder = TempDir::new().expect("a folder");
    let model = synth(folder.path(), &["--untied", "--type=q4_k_m"]);
    for engine in engines() {
        let question = Question::greedy(&model, &[64, 71, 78, 85, 66, 73, 80], 2, 10);
        ways::all_the_same(&engine, &question).unwrap_or_else(|wrong| panic!("\n{wrong}"));
    }
}
