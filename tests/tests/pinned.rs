//! What the embedded model says, written down. Chapters that add up in the same order say the same words, with a cache and
//! without: one snapshot for all of them. A snapshot is what the engine itself once said; that it is right, the judge of
//! the common suite says (`INSTA_UPDATE=always cargo test -p course-tests --test pinned` writes them anew).

use std::collections::BTreeSet;
use std::sync::LazyLock;
use std::thread;

use course::suite::{Engine, Question, build, pinned};
use course_tests::root;

/// Every chapter's.
static ENGINES: LazyLock<Vec<Engine>> =
    LazyLock::new(|| build::all(&root()).expect("the chapters build"));

/// Of all engines that say the same, the last one.
fn newest() -> Vec<Engine> {
    let mut newest = ENGINES.clone();
    newest.reverse();
    let mut names = BTreeSet::new();
    newest.retain(|engine| names.insert(pinned::snapshot(engine)));
    assert!(names.contains("pinned"), "no engine is left that says what the first ones said");
    newest
}

fn settings() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("../snapshots");
    settings
}

#[test]
fn every_chapter_says_the_same_with_the_cache_off_and_on() {
    // A thread for each: the first chapters take the longest, and use one core.
    thread::scope(|scope| {
        for engine in ENGINES.iter() {
            scope.spawn(|| says_the_same(engine));
        }
    });
}

fn says_the_same(engine: &Engine) {
    let name = pinned::snapshot(engine).replace("pinned", "tokens");
    for recomputes in [true, false] {
        // Chapters 0 and 1 have no cache yet.
        let Some(way) = engine.ways_here().find(|way| way.recomputes == recomputes) else {
            assert!(!recomputes && engine.ways.len() == 1, "{}", engine.name);
            continue;
        };
        let said = pinned::few_said(engine, way).unwrap_or_else(|wrong| panic!("\n{wrong}"));
        settings().bind(|| insta::assert_json_snapshot!(name.as_str(), said));
    }
}

#[test]
fn stories_and_answers() {
    for engine in newest() {
        let way = engine.ways_here().find(|way| !way.recomputes).expect("one that remembers");
        let said = pinned::all_said(&engine, way).expect("it runs");
        let name = pinned::snapshot(&engine);
        settings().bind(|| insta::assert_json_snapshot!(name, said));
    }
}

#[test]
fn a_story_in_full() {
    for engine in newest() {
        let way = engine.ways_here().find(|way| !way.recomputes).expect("one that remembers");
        let question = Question::default().with(&["Once upon a time"]);
        let answer = engine.ask(way, &question).expect("it runs");
        let name = pinned::snapshot(&engine).replace("pinned", "story");
        settings().bind(|| insta::assert_snapshot!(name, answer.text));
    }
}
