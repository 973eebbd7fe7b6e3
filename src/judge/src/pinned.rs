//! What the model inside the program says, pinned: a few stories, and questions in chat form.

use std::path::Path;

use ground::error::Error;
use serde::{Deserialize, Serialize};

use crate::engine::{Engine, Question, Tried};
use catalog::error::problem_at;
use catalog::manifest::Way;

/// Plain text is continued; questions are asked in chat form, with thinking off.
pub const STORIES: [&str; 4] = [
    "Once upon a time",
    "Once upon a time, a girl named Orla lived by the sea.",
    "One windy morning, Tomas the fox",
    "The little lantern",
];
pub const QUESTIONS: [&str; 8] = [
    "What is the capital of France?",
    "What is the capital of Japan?",
    "Count to ten.",
    "Write a short poem.",
    "What is the opposite of hot?",
    "What is two plus three?",
    "Which day comes after Monday?",
    "Hello!",
];

/// Long enough to differ by prompt.
const TOKENS: usize = 64;
/// What a way that computes the whole past for every token is asked for: one story, one answer that ends.
const FEW: usize = 12;
const OF_FEW: [&str; 2] = [STORIES[0], QUESTIONS[0]];

/// One prompt and what was said.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub struct Said {
    pub prompt: String,
    pub prompt_ids: String,
    pub generated_ids: String,
    pub text: String,
    pub finish_reason: String,
}

/// The snapshot of all engines that add up in the same order: others may say other words.
pub fn snapshot(engine: &Engine) -> String {
    engine.says.as_ref().map_or("pinned".into(), |says| format!("pinned-{says}"))
}

/// What is in the snapshot: a head between two lines of dashes, then JSON.
fn read(root: &Path, engine: &Engine) -> Result<Vec<Said>, Error> {
    let path = root.join("tests/snapshots").join(snapshot(engine)).with_extension("snap");
    let broken = |why: String| problem_at(&path, why);
    let text = std::fs::read_to_string(&path).map_err(|error| broken(error.to_string()))?;
    let json = text.splitn(3, "---\n").nth(2).ok_or_else(|| broken("no head".into()))?;
    serde_json::from_str(json).map_err(|error| broken(error.to_string()))
}

/// Every prompt, in this way.
pub fn all_said(engine: &Engine, way: &Way) -> Tried<Vec<Said>> {
    let all = STORIES.into_iter().chain(QUESTIONS);
    all.map(|prompt| said(engine, way, &question(prompt, TOKENS))).collect()
}

fn question(prompt: &str, tokens: usize) -> Question {
    let limit = format!("--max-new-tokens={tokens}");
    let question = Question::default().with(&[prompt, &limit]);
    if QUESTIONS.contains(&prompt) { question.with(&["--chat"]) } else { question }
}

fn said(engine: &Engine, way: &Way, question: &Question) -> Tried<Said> {
    let answer = engine.ask(way, question)?;
    Ok(Said {
        prompt: question.flags[0].clone(),
        prompt_ids: in_a_line(&answer.prompt_ids),
        generated_ids: in_a_line(&answer.generated_ids),
        text: answer.text,
        finish_reason: answer.finish_reason,
    })
}

fn in_a_line(ids: &[u32]) -> String {
    ids.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}

/// As in the snapshot: in the first way that remembers, or else in the first, and then a part.
pub fn as_in_the_snapshot(engine: &Engine, root: &Path) -> Tried {
    let remembers = engine.ways_here().find(|way| !way.recomputes);
    let way = remembers.unwrap_or(&engine.ways[0]);
    let pinned = read(root, engine).map_err(|error| {
        let none = Question::default();
        engine.mistake(way, &none, "the snapshot", "one that can be read", error)
    })?;
    let tokens = if way.recomputes { FEW } else { TOKENS };
    for wanted in &pinned {
        if way.recomputes && !OF_FEW.contains(&wanted.prompt.as_str()) {
            continue;
        }
        let question = question(&wanted.prompt, tokens);
        let found = said(engine, way, &question)?;
        let wrong = |place: &str, wanted: &str, found: &str| {
            Err(engine.mistake(
                way,
                &question,
                place,
                format!("{wanted:?}"),
                format!("{found:?}"),
            ))
        };
        let ids: Vec<&str> = wanted.generated_ids.split(' ').take(tokens).collect();
        let whole = tokens >= wanted.generated_ids.split(' ').count();
        let ended = if whole { wanted.finish_reason.as_str() } else { "length" };
        if found.prompt_ids != wanted.prompt_ids {
            return wrong("the prompt's ids", &wanted.prompt_ids, &found.prompt_ids);
        }
        if found.generated_ids != ids.join(" ") {
            return wrong("the ids", &ids.join(" "), &found.generated_ids);
        }
        if !(wanted.text.starts_with(&found.text) && (!whole || found.text == wanted.text)) {
            return wrong("the text", &wanted.text, &found.text);
        }
        if found.finish_reason != ended {
            return wrong("the finish_reason", ended, &found.finish_reason);
        }
    }
    Ok(())
}
