//! What the embedded model says, written down. Chapters that add up in the same order say the same words: one snapshot for
//! all of them, which the common suite holds each of them to. A snapshot is what the engine itself once said; that it is
//! right, the judge says. `INSTA_UPDATE=always cargo test --test pinned -- --ignored` writes them anew.

use std::collections::BTreeSet;

use judge::{Engine, Question, build, pinned};
use test_support::root;

/// Of all engines that say the same, the last one.
fn newest() -> Vec<Engine> {
    let mut newest = build::all(&root()).expect("the chapters build");
    newest.reverse();
    let mut names = BTreeSet::new();
    newest.retain(|engine| names.insert(pinned::snapshot(engine)));
    assert!(names.contains("pinned"), "no engine is left that says what the first ones said");
    newest
}

fn settings() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings
}

#[test]
#[ignore = "cargo prove: `cargo test` holds each chapter to these words"]
fn stories_and_answers() {
    for engine in newest() {
        let way = engine.ways_here().find(|way| !way.recomputes).expect("one that remembers");
        let said = pinned::all_said(&engine, way).expect("it runs");
        let name = pinned::snapshot(&engine);
        settings().bind(|| insta::assert_json_snapshot!(name, said));
    }
}

/// The same in whatever order they add up.
#[test]
#[ignore = "cargo prove: `cargo test` holds each chapter to these words"]
fn a_story_in_full() {
    for engine in newest() {
        let way = engine.ways_here().find(|way| !way.recomputes).expect("one that remembers");
        let question = Question::default().with(&["Once upon a time"]);
        let answer = engine.ask(way, &question).expect("it runs");
        settings().bind(|| insta::assert_snapshot!("story", answer.text));
    }
}
