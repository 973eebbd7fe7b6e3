//! Qwen3-1.7B's widths and a head that isn't tied, which no model in the repository has: one layer with random weights, against
//! the reference implementation and in the ways of every chapter. `lab/reference/family.py` made the judgements, from
//!
//!     cargo run -- synth FILE --shape qwen3-1.7b --layers 1 --vocab 331 --seed 9 --untied --type f16
//!
//! and the same with `--type q8_0`.

use std::path::{Path, PathBuf};
use std::process::Command;

use catalog::chapters::{self, Chapter};
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
fn engines_of_chapters() -> impl Iterator<Item = (Chapter, Engine)> {
    let all = chapters::all(&root()).expect("the chapters can be read");
    let engines = build::these(&root(), &all).expect("the chapters build");
    all.into_iter().zip(engines).filter(|(_, engine)| !engine.serves)
}

/// A chapter on a base multiplies with that one's code: two of its ways are enough for each day.
fn engines() -> impl Iterator<Item = Engine> {
    engines_of_chapters().map(|(chapter, engine)| match chapter.about.base {
        Some(_) => engine.in_two_ways(),
        None => engine,
    })
}

/// One prompt and one step are enough: 33 rows are whole tiles and one row more, in chunks of seven they are tiles and five
/// rows, in chunks of three they are three rows at a time, and the step is a row by itself.
fn in_all_ways(engine: &Engine, model: &Path) {
    let ids: Vec<u32> = (0..33).map(|at| 64 + at * 7 % 26).collect();
    let question = Question::greedy(model, &ids, 2, 10);
    ways::all_the_same(engine, &question).unwrap_or_else(|wrong| panic!("\n{wrong}"));
}

/// Chapters before the fifth widen blocks when they load them: their ways are those of the floats.
fn is_the_judges(kind: &str, judged: &str) {
    let folder = TempDir::new().expect("a folder");
    let model = synth(folder.path(), kind);
    for engine in engines() {
        // Nothing is rounded where the weights are floats.
        let judge = engine.judge.as_deref().filter(|_| kind == "q8_0");
        let mut judgement = Judgement::read(&root(), judged, judge).expect("the judgement");
        judgement.model_file = model.clone();
        // Keys and values in sixteen bits are another function, though not by more than this.
        if kind == "f16" && engine.judge.as_deref() == Some("f16") {
            judgement.tolerance = Some(1e-3);
            judgement.cases.iter_mut().for_each(|case| case.sure = Some(0));
        }
        judgement::agrees(&engine, &judgement).unwrap_or_else(|wrong| panic!("\n{wrong}"));
        if kind == "f16" || engine.judge.is_some() {
            in_all_ways(&engine, &model);
        }
    }
}

#[test]
#[ignore = "cargo prove: a layer of 50 million weights in every chapter"]
fn an_untied_layer_of_1_7b_is_the_judges_and_the_same_in_all_ways() {
    is_the_judges("f16", "family");
}

#[test]
#[ignore = "cargo prove: a layer of 50 million weights in every chapter"]
fn in_blocks_it_is_the_judges_and_the_same_in_all_ways() {
    is_the_judges("q8_0", "family-q8_0");
}

#[test]
#[ignore = "cargo prove: a layer of 50 million weights in the ways of four chapters"]
fn the_usual_mixture_of_types_gives_the_same_bits_in_all_ways() {
    let folder = TempDir::new().expect("a folder");
    let model = synth(folder.path(), "q4_k_m");
    for engine in engines().filter(|engine| engine.judge.is_some()) {
        in_all_ways(&engine, &model);
    }
}

#[test]
#[ignore = "each night: a layer of 50 million weights in every way of the chapters on a base"]
fn on_a_base_it_is_the_same_in_all_ways() {
    let folder = TempDir::new().expect("a folder");
    for kind in ["f16", "q8_0", "q4_k_m"] {
        let model = synth(folder.path(), kind);
        let all = engines_of_chapters().filter(|(chapter, _)| chapter.about.base.is_some());
        all.for_each(|(_, engine)| in_all_ways(&engine, &model));
    }
}
