//! Another family in company and at a port: each answer is what the model writes alone.

use ch15_families as engine;

use std::path::PathBuf;

use engine::backend::Backend;
use engine::batch::forward;
use engine::cache::KvType;
use engine::compute::ComputeContext;
use engine::layers::Layers;
use ground::gguf::Gguf;
use ground::tokenizer::Tokenizer;
use guessing::{Logits, asked, guesses, guesses_of, new, wanted};
use schedules::with_a_model;
use serde_json::{Value, json};
use served::{CHAT, said, serve};

#[path = "../../../tests/shared/guessing.rs"]
mod guessing;
#[path = "../../../tests/shared/schedules.rs"]
#[allow(dead_code)] // those of models that are no Gemma
mod schedules;
#[path = "../../../tests/shared/served.rs"]
mod served;

fn fixture(name: &str) -> PathBuf {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/families");
    format!("{root}/{name}.gguf").into()
}

/// Prompts and answers of up to 240 tokens with a window of 72, in rooms of one block to ten: who is preempted comes back
/// across the window's edge, and so does who finds a beginning kept.
#[test]
fn in_any_company_a_gemma_writes_what_it_writes_alone() {
    let file = Gguf::open(&fixture("gemma3")).expect("a fixture");
    let compute = ComputeContext::new(Backend::choose("auto").expect("one"), 2);
    let (layers, model) =
        Layers::load(&file, compute.expect("two threads"), KvType::F16).expect("it loads");
    let tokenizer = Tokenizer::from_gguf(&file).expect("it has one");
    let happened =
        with_a_model(0..6, &model, &tokenizer, &mut |items| forward(&model, layers, items));
    assert!(happened.preempted > 0, "there was room for all: {happened:?}");
    assert!(happened.guessed > happened.accepted, "no guess was wrong: {happened:?}");
    assert!(happened.accepted > 0, "no guess was right: {happened:?}");
}

#[test]
fn at_the_port_each_family_answers_as_on_the_command_line() {
    for name in ["llama3", "smollm2", "qwen2", "gemma3"] {
        let model = fixture(name);
        let of_model = ["--model", model.to_str().expect("a path"), "--temperature", "0"];
        let question = "Once upon a time a fox counted up to 72 and went on. ".repeat(8);
        let alone = ["--kv", "contiguous", "--chat", "-n", "24", "--ignore-eos", &question];
        let expected = said(&[&of_model[..], &alone].concat());
        // A reply in a chat begins with its first word.
        let text = expected["text"].as_str().expect("a text").trim_start();

        let server = serve(&of_model);
        assert_eq!(server.get("/").status, 200, "{name}: the chat page");
        let message = json!({ "role": "user", "content": question });
        let body = json!({ "messages": [message], "max_tokens": 24, "ignore_eos": true });
        for kept in [false, true] {
            let answer = server.ask(CHAT, &body);
            let usage = &answer["usage"];
            assert_eq!(answer["choices"][0]["message"]["content"], text, "{name}");
            assert_eq!(usage["prompt_tokens"], len(&expected["prompt_ids"]), "{name}");
            let cached = usage["prompt_tokens_details"]["cached_tokens"].as_u64();
            assert_eq!(cached > Some(72), kept, "{name}: {usage}");
        }
    }
}

fn len(list: &Value) -> usize {
    list.as_array().expect("a list").len()
}
