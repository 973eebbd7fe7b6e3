//! Qwen3-1.7B's widths and a head that isn't tied, which no model in the repository has: one layer with random weights, against
//! the reference implementation and in every way of every chapter. `lab/reference/family.py` made the judgements, from
//!
//!     cargo run -- synth FILE --shape qwen3-1.7b --layers 1 --vocab 331 --seed 9 --untied --type f16
//!
//! and the same with `--type q8_0`.

use std::path::{Path, PathBuf};
use std::process::Command;

use judge::judgement::{self, Judgement};
use judge::{Engine, Question, build, ways};
use tempfile::TempDir;
use test_support::root;

fn synth(folder: &Path, kind: &str) -> PathBuf {
    let path = folder.join(kind);
    let mut command = Command::new(env!("CARGO"));
    command.args(["run", "-q", "--locked", "--", "synth"]).arg(&path);
    command.args("--shape qwen3-1.7b --layers 1 --vocab 331 --seed 9 --untied".split(' '));
    command.args(["--type", kind]);
    assert!(command.current_dir(root()).status().expect("cargo runs").success());
    path
}

/// A server computes with the library of the chapter that it stands on.
fn engines() -> Vec<Engine> {
    let mut all = build::all(&root()).expect("the chapters build");
    all.retain(|engine| !engine.serves);
    all
}

/// One prompt and one step are enough: 33 rows are whole tiles and one row more, in chunks of seven they are tiles and five
/// rows, in chunks of three they are three rows at a time, and the step is a row by itself.
fn in_all_ways(engine: &Engine, model: &Path) {
    let ids: Vec<u32> = (0..33).map(|at| 64 + at * 7 % 26).collect();
    let question = Question::greedy(model, &ids, 2, 10);
    ways::all_the_same(engine, &question).unwrap_or_else(|wrong| panic!("\n{wrong}"));
}

#[test]
#[ignore = "cargo prove: a layer of 50 million weights in every way of every chapter"]
fn an_untied_layer_of_1_7b_is_the_judges_and_the_same_in_all_ways() {
    let folder = TempDir::new().expect("a folder");
    let engines = engines();
    for (kind, judged) in [("f16", "family"), ("q8_0", "family-q8_0")] {
        let model = synth(folder.path(), kind);
        for engine in &engines {
            // Nothing is rounded where the weights are floats.
            let judge = engine.judge.as_deref().filter(|_| kind == "q8_0");
            let mut judgement = Judgement::read(&root(), judged, judge).expect("the judgement");
            judgement.model_file = model.clone();
            // Keys and values in sixteen bits are another function, though not by more than this.
            if kind == "f16" && engine.judge.as_deref() == Some("f16") {
                judgement.tolerance = Some(1e-3);
                judgement.cases.iter_mut().for_each(|case| case.sure = Some(0));
            }
            judgement::agrees(engine, &judgement).unwrap_or_else(|wrong| panic!("\n{wrong}"));
            in_all_ways(engine, &model);
        }
    }
}

/// The chapters before the fifth widen blocks when they load them, and compute with the floats as above.
#[test]
#[ignore = "cargo prove: a layer of 50 million weights in every way of every chapter"]
fn the_usual_mixture_of_types_gives_the_same_bits_in_all_ways() {
    let folder = TempDir::new().expect("a folder");
    let model = synth(folder.path(), "q4_k_m");
    for engine in engines().iter().filter(|engine| engine.judge.is_some()) {
        in_all_ways(engine, &model);
    }
}
