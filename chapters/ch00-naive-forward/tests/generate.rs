//! The loop around the model, with a script in the model's place.

use std::cell::RefCell;

use ground::config::Config;
use ground::embedded::tiny_qwen3;
use ground::request::{FinishReason, Generation, Options, Request};
use ground::tokenizer::Tokenizer;

struct Stage {
    tokenizer: Tokenizer,
    config: Config,
}

impl Stage {
    fn new() -> Stage {
        let file = tiny_qwen3().expect("the embedded model opens");
        let tokenizer = Tokenizer::from_gguf(&file).expect("its vocabulary is sound");
        Stage { tokenizer, config: Config::from_gguf(&file).expect("its config is sound") }
    }

    fn eos(&self) -> u32 {
        self.config.eos_ids[0]
    }

    fn letter(&self, letter: &str) -> u32 {
        self.tokenizer.encode(letter).expect("a letter is text")[0]
    }

    fn logits(&self, best: u32) -> Vec<f32> {
        let mut logits = vec![0.0; self.config.vocab];
        logits[best as usize] = 1.0;
        logits
    }

    /// Plays the script through the loop. Also returns what each forward pass was given.
    fn play(&self, request: &Request, script: &[u32]) -> (Generation, Vec<Vec<u32>>) {
        let calls = RefCell::new(Vec::new());
        let forward = |ids: &[u32]| {
            let mut calls = calls.borrow_mut();
            calls.push(ids.to_vec());
            Ok(self.logits(script[calls.len() - 1]))
        };
        let printed = RefCell::new(String::new());
        let print = |text: &str| {
            printed.borrow_mut().push_str(text);
            Ok(())
        };
        let generation =
            ch00_naive_forward::generate::generate(request, &self.tokenizer, forward, print)
                .expect("the script plays");
        assert_eq!(printed.take(), generation.text, "what is printed is the text");
        (generation, calls.take())
    }

    fn request(&self, max_new_tokens: usize) -> Request {
        self.request_with(Options { max_new_tokens, ..Options::default() })
    }

    fn request_with(&self, options: Options) -> Request {
        Request::new(vec![1, 2], options, &self.config).expect("the model can serve it")
    }
}

#[test]
fn length_takes_as_many_passes_as_tokens() {
    let stage = Stage::new();
    let a = stage.letter("a");
    let (generation, calls) = stage.play(&stage.request(3), &[a, a, a]);
    assert_eq!(generation.finish_reason, FinishReason::Length);
    assert_eq!(generation.generated_ids, [a, a, a]);
    assert_eq!(generation.prompt_ids, [1, 2]);
    assert_eq!(generation.text, "aaa");
    assert_eq!(calls, [vec![1, 2], vec![1, 2, a], vec![1, 2, a, a]]);
}

#[test]
fn an_end_token_at_step_3_ends_the_ids_but_not_the_text() {
    let stage = Stage::new();
    let (a, eos) = (stage.letter("a"), stage.eos());
    let (generation, calls) = stage.play(&stage.request(10), &[a, a, eos]);
    assert_eq!(generation.finish_reason, FinishReason::Eos);
    assert_eq!(generation.generated_ids, [a, a, eos]);
    assert_eq!(generation.text, "aa");
    assert_eq!(calls.len(), 3);
}

#[test]
fn every_end_token_of_the_model_ends_a_reply() {
    let stage = Stage::new();
    assert!(stage.config.eos_ids.len() >= 2, "<|im_end|> and <|endoftext|> both end a reply");
    for &eos in &stage.config.eos_ids {
        let (generation, _) = stage.play(&stage.request(10), &[eos]);
        assert_eq!(generation.finish_reason, FinishReason::Eos);
        assert_eq!((generation.generated_ids, generation.text), (vec![eos], String::new()));
    }
}

#[test]
fn with_ignore_eos_an_end_token_is_a_token_like_any_other() {
    let stage = Stage::new();
    let eos = stage.eos();
    let request = stage.request_with(Options {
        max_new_tokens: 2,
        ignore_eos: true,
        ..Options::default()
    });
    let (generation, _) = stage.play(&request, &[eos, eos]);
    assert_eq!(generation.finish_reason, FinishReason::Length);
    assert_eq!(generation.generated_ids, [eos, eos]);
}

#[test]
fn a_stop_string_at_step_4_cuts_the_text_not_the_ids() {
    let stage = Stage::new();
    let [a, b, c] = ["a", "b", "c"].map(|letter| stage.letter(letter));
    let request = stage.request_with(Options { stop: vec!["bc".into()], ..Options::default() });
    let (generation, calls) = stage.play(&request, &[a, a, b, c]);
    assert_eq!(generation.finish_reason, FinishReason::Stop);
    assert_eq!(generation.generated_ids, [a, a, b, c]);
    assert_eq!(generation.text, "aa");
    assert_eq!(calls.len(), 4);
}

#[test]
fn text_held_back_for_a_stop_string_that_never_came_is_printed_at_the_end() {
    let stage = Stage::new();
    let [a, b] = ["a", "b"].map(|letter| stage.letter(letter));
    let request = stage.request_with(Options {
        max_new_tokens: 2,
        stop: vec!["bc".into()],
        ..Options::default()
    });
    let (generation, _) = stage.play(&request, &[a, b]);
    assert_eq!(generation.finish_reason, FinishReason::Length);
    assert_eq!(generation.text, "ab");
}

#[test]
fn no_tokens_take_no_passes() {
    let stage = Stage::new();
    let (generation, calls) = stage.play(&stage.request(0), &[]);
    assert_eq!(generation.finish_reason, FinishReason::Length);
    assert!(generation.generated_ids.is_empty() && generation.text.is_empty());
    assert!(calls.is_empty());
}

#[test]
fn one_token_takes_one_pass() {
    let stage = Stage::new();
    let a = stage.letter("a");
    let (generation, calls) = stage.play(&stage.request(1), &[a]);
    assert_eq!(generation.generated_ids, [a]);
    assert_eq!(calls.len(), 1);
}

#[test]
fn the_best_logits_of_each_step_are_kept_when_asked_for() {
    let stage = Stage::new();
    let a = stage.letter("a");
    let request =
        stage.request_with(Options { max_new_tokens: 1, top_logits: 2, ..Options::default() });
    let (generation, _) = stage.play(&request, &[a]);
    let runner_up = if a == 0 { 1 } else { 0 };
    assert_eq!(generation.top_logits, [[(a, 1.0), (runner_up, 0.0)]]);
}
