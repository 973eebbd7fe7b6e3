//! What the embedded model says, written down: the newest engine that rounds the inputs of its products and the newest
//! that does not write the snapshots, and the common suite holds every engine against the one of its kind
//! (`INSTA_UPDATE=always cargo test -p course-tests --test pinned` writes them anew).

use course::suite::{Engine, Question, build, pinned};
use course_tests::root;

/// The last engine that does not round, and the last one that does if there is one.
fn newest() -> Vec<Engine> {
    let engines = build::all(&root()).expect("the chapters build");
    let last = |rounds| engines.iter().rfind(|engine| engine.rounds == rounds);
    assert!(last(false).is_some(), "no engine is left that does not round");
    [false, true].into_iter().filter_map(last).cloned().collect()
}

fn settings() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("../snapshots");
    settings
}

#[test]
fn stories_and_answers() {
    for engine in newest() {
        let way = engine.ways_here().find(|way| !way.recomputes).expect("one that remembers");
        let said = pinned::all_said(&engine, way).expect("it runs");
        let name = pinned::snapshot(engine.rounds);
        settings().bind(|| insta::assert_json_snapshot!(name, said));
    }
}

#[test]
fn a_story_in_full() {
    for engine in newest() {
        let way = engine.ways_here().find(|way| !way.recomputes).expect("one that remembers");
        let question = Question::default().with(&["Once upon a time"]);
        let answer = engine.ask(way, &question).expect("it runs");
        let name = if engine.rounds { "story-rounded" } else { "story" };
        settings().bind(|| insta::assert_snapshot!(name, answer.text));
    }
}
