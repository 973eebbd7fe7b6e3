//! Random schedules of requests, in which each answer is what it would be alone.

use std::sync::Mutex;

use ch13_scheduling as engine;

use engine::batch::forward;
use engine::batch_item::BatchItem;
use engine::decoder::EngineRequest;
use engine::engine::Engine;
use engine::prefix_cache::PrefixCache;
use engine::queue::{Counts, Event, Queue};
use ground::config::Config;
use ground::random::SplitMix64;
use ground::request::{Options, Request};
use ground::tokenizer::Tokenizer;
use schedules::{
    Read, logits_of, or_as_many, with_a_model_that_remembers, with_the_tiny_model,
};

#[path = "../../../tests/shared/schedules.rs"]
mod schedules;

/// Those after the last token, for whoever wants them.
type Logits = Option<Vec<f32>>;

fn wanted(item: &BatchItem, read: &[Read]) -> Logits {
    let last = read.last().filter(|_| item.wants_logits);
    last.map(|&(hash, last)| logits_of(hash, last))
}

fn asked(
    _: &mut SplitMix64,
    config: &Config,
    of: (Vec<u32>, Options),
    _: usize,
) -> EngineRequest {
    let request = Request::new(of.0, of.1, config).expect("it fits");
    EngineRequest { request, bias: Vec::new(), likely: Some(3) }
}

fn new<'a>(
    _: &mut SplitMix64,
    tokenizer: &'a Tokenizer,
    (prefix_cache, queue): (&'a Mutex<PrefixCache>, &'a Queue),
    budget: usize,
) -> Engine<'a> {
    Engine::new(tokenizer, prefix_cache, queue, schedules::threads(), budget)
}

/// Nobody guesses here.
fn guesses_of(_: &Event) -> [u64; 2] {
    [0; 2]
}

fn guesses(_: &Counts) -> [u64; 2] {
    [0; 2]
}

#[test]
fn in_any_company_each_answer_is_its_own() {
    with_a_model_that_remembers(0..300);
}

#[test]
#[ignore = "cargo prove: 3,000 schedules, or as many as SCHEDULES says"]
fn in_thousands_of_schedules_each_answer_is_its_own() {
    with_a_model_that_remembers(or_as_many(3_000));
}

#[test]
fn with_a_real_model_each_answer_is_its_own() {
    with_the_tiny_model(0..4, forward);
}

#[test]
#[ignore = "cargo prove: 20 schedules of the tiny model, or as many as SCHEDULES says"]
fn in_more_schedules_of_a_real_model_each_answer_is_its_own() {
    with_the_tiny_model(or_as_many(20), forward);
}
