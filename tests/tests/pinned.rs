//! What the embedded model says, pinned: one snapshot, and every chapter must say the same.

use course_tests::engines::{Ch00, Ch01, Ch02, Ch03, Engine};
use ground::chat::{Message, render};
use ground::embedded::tiny_qwen3;
use ground::gguf::Gguf;
use ground::request::Request;
use ground::tokenizer::Tokenizer;
use serde::Serialize;

/// Plain text is continued; questions are asked in chat form, with thinking off.
const STORIES: [&str; 4] = [
    "Once upon a time",
    "Once upon a time, a girl named Orla lived by the sea.",
    "One windy morning, Tomas the fox",
    "The little lantern",
];
const QUESTIONS: [&str; 8] = [
    "What is the capital of France?",
    "What is the capital of Japan?",
    "Count to ten.",
    "Write a short poem.",
    "What is the opposite of hot?",
    "What is two plus three?",
    "Which day comes after Monday?",
    "Hello!",
];

#[derive(Serialize)]
struct Pinned {
    prompt: &'static str,
    prompt_ids: String,
    generated_ids: String,
    text: String,
    finish_reason: ground::request::FinishReason,
}

fn in_a_line(ids: &[u32]) -> String {
    ids.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}

/// A model may borrow its file for good.
fn embedded() -> &'static Gguf {
    Box::leak(Box::new(tiny_qwen3().expect("the embedded model opens")))
}

/// Long enough to differ by prompt, short enough to recompute the past for every token.
const TOKENS: usize = 64;

fn assert_pinned<E: Engine>() {
    let file = embedded();
    let tokenizer = Tokenizer::from_gguf(file).expect("its vocabulary is sound");
    let engine = E::load(file);
    let template = file.text("tokenizer.chat_template").expect("it has a chat template");
    let ask = |question: &str| {
        let message = Message { role: "user".into(), content: question.into() };
        render(template, &[message], false, true).expect("the template renders")
    };
    let prompts = STORIES.iter().map(|story| (*story, story.to_string()));
    let prompts = prompts.chain(QUESTIONS.iter().map(|question| (*question, ask(question))));
    let pinned: Vec<Pinned> = prompts
        .map(|(prompt, text)| {
            let request = Request {
                prompt_ids: tokenizer.encode(&text).expect("it is text"),
                max_new_tokens: TOKENS,
                eos_ids: engine.config().eos_ids.clone(),
                ..Request::default()
            };
            let generation = engine.generate(&request, &tokenizer).expect("it runs");
            Pinned {
                prompt,
                prompt_ids: in_a_line(&generation.prompt_ids),
                generated_ids: in_a_line(&generation.generated_ids),
                text: generation.text,
                finish_reason: generation.finish_reason,
            }
        })
        .collect();

    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("../snapshots");
    settings.bind(|| insta::assert_json_snapshot!("pinned", pinned));
}

#[test]
fn ch00_says_what_is_pinned() {
    assert_pinned::<Ch00>();
}

#[test]
fn ch01_says_what_is_pinned() {
    assert_pinned::<Ch01>();
}

#[test]
fn ch02_says_what_is_pinned() {
    assert_pinned::<Ch02>();
}

#[test]
fn ch03_says_what_is_pinned() {
    assert_pinned::<Ch03>();
}

#[test]
fn a_story_in_full_is_pinned_too() {
    let file = embedded();
    let tokenizer = Tokenizer::from_gguf(file).expect("its vocabulary is sound");
    let engine = Ch02::load(file);
    let request = Request {
        prompt_ids: tokenizer.encode("Once upon a time").expect("it is text"),
        max_new_tokens: 160,
        eos_ids: engine.config().eos_ids.clone(),
        ..Request::default()
    };
    let generation = engine.generate(&request, &tokenizer).expect("it runs");
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_snapshot_path("../snapshots");
    settings.bind(|| insta::assert_snapshot!("story", generation.text));
}
