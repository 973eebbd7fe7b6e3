//! What the embedded model says, written down: the newest engine writes the snapshots, and the common suite holds
//! every engine against them (`INSTA_UPDATE=always cargo test -p course-tests --test pinned` writes them anew).

use course::suite::{Engine, Question, build, pinned};
use course_tests::root;

fn newest() -> Engine {
    build::all(&root()).expect("the chapters build").pop().expect("there is a chapter")
}

fn settings() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("../snapshots");
    settings
}

#[test]
fn stories_and_answers() {
    let engine = newest();
    let way = engine.ways_here().find(|way| !way.recomputes).expect("one that remembers");
    let said = pinned::all_said(&engine, way).expect("it runs");
    settings().bind(|| insta::assert_json_snapshot!("pinned", said));
}

#[test]
fn a_story_in_full() {
    let engine = newest();
    let way = engine.ways_here().find(|way| !way.recomputes).expect("one that remembers");
    let question = Question::default().with(&["Once upon a time"]);
    let answer = engine.ask(way, &question).expect("it runs");
    settings().bind(|| insta::assert_snapshot!("story", answer.text));
}
