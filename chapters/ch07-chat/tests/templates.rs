//! What the conversation hands to the template, and what the reference makes of it: `lab/reference/turns.py`.

use std::path::Path;

use ch07_chat::backend::Backend;
use ch07_chat::cache::Mode;
use ch07_chat::compute::ComputeContext;
use ch07_chat::conversation::{Conversation, OnFull, Settings};
use ch07_chat::how::{How, PREFILL_CHUNK};
use ch07_chat::recorder::system_clock;
use ch07_chat::session::Session;
use ground::chat::{Message, render};
use ground::embedded::tiny_qwen3;
use ground::request::Options;
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    step: Vec<String>,
    messages: Vec<Message>,
    enable_thinking: bool,
    rendered: String,
}

fn message(role: &str, content: &str) -> Message {
    Message { role: role.into(), content: content.into() }
}

#[test]
fn turns_taken_back_leave_what_the_reference_renders() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/chat/turns.json");
    let text = std::fs::read_to_string(path).expect("it is there");
    let cases: Vec<Case> = serde_json::from_str(&text).expect("it is sound");
    assert!(cases.len() > 60, "{}", cases.len());
    let file = tiny_qwen3().expect("it opens");
    let template = file.text("tokenizer.chat_template").expect("it has one");
    let compute = ComputeContext::new(Backend::available()[0], 1).expect("a thread starts");
    let session = Session::open(&file, system_clock(), compute).expect("the model loads");
    let settings =
        Settings { options: Options::default(), think: false, on_full: OnFull::Stop };
    let how = How { kv: Mode::Off, prefill_chunk: PREFILL_CHUNK };
    let start = |system: Option<String>| {
        Conversation::new(&session, &how, None, system, settings.clone())
            .expect("there is memory")
    };
    let mut talk = start(None);
    // Each step with thinking on and off; first all without a system message, then all with one.
    for [on, off] in cases.as_chunks().0 {
        let first = &on.messages[0];
        if first.role == "system" && talk.messages.first() != Some(first) {
            talk = start(Some(first.content.clone()));
        }
        assert_eq!((&on.step, on.enable_thinking), (&off.step, !off.enable_thinking));
        match on.step.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["ask", question, answer] => {
                talk.messages.extend([message("user", question), message("assistant", answer)]);
            }
            ["undo"] => drop(talk.undo()),
            ["reset"] => talk.reset(),
            _ => panic!("{:?}", on.step),
        }
        let mut asked = talk.messages.clone();
        asked.push(message("user", "And now?"));
        for case in [on, off] {
            assert_eq!(asked, case.messages, "after {:?}", case.step);
            let found = render(template, &asked, case.enable_thinking, true);
            assert_eq!(found.expect("it renders"), case.rendered, "after {:?}", case.step);
        }
    }
}
