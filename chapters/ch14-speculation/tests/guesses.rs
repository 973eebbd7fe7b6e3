//! Chapter 13's random schedules, in which everybody guesses. Each answer is what it would be alone and without any guess,
//! the likelihoods too. Some answers are replayed: pieces of the prompt with mistakes, at every distance.

use std::sync::Mutex;

use ch14_speculation as engine;

use engine::batch_item::BatchItem;
use engine::decoder::EngineRequest;
use engine::engine::Engine;
use engine::prefix_cache::PrefixCache;
use engine::queue::{Counts, Event, Queue};
use ground::config::Config;
use ground::random::SplitMix64;
use ground::request::{Options, Request};
use ground::tokenizer::Tokenizer;
use schedules::remembers::VOCAB;
use schedules::{
    Happened, Read, logits_of, or_as_many, with_a_model_that_remembers, with_the_tiny_model,
};

#[path = "../../../tests/shared/schedules.rs"]
mod schedules;

/// Those after each of the last tokens.
type Logits = Vec<Vec<f32>>;

fn wanted(item: &BatchItem, read: &[Read]) -> Logits {
    let last = &read[read.len() - item.wanted..];
    last.iter().map(|&(hash, last)| logits_of(hash, last)).collect()
}

fn asked(
    random: &mut SplitMix64,
    config: &Config,
    (ids, mut options): (Vec<u32>, Options),
    room: usize,
) -> EngineRequest {
    let replay = (random.below(3) == 0).then(|| replay(random, &ids, room));
    if let Some(ids) = &replay {
        options.max_new_tokens = ids.len();
    }
    if random.below(4) == 0 {
        options.stop = vec![["e", "ab", "z", "q"][random.below(4)].into()];
    }
    let request = Request::new(ids, options, config).expect("it fits");
    EngineRequest { request, bias: Vec::new(), likely: Some(3), replay: replay.map(Into::into) }
}

/// Pieces of a text, each with a mistake somewhere.
fn replay(random: &mut SplitMix64, ids: &[u32], room: usize) -> Vec<u32> {
    let mut all = Vec::new();
    while all.len() < 60 {
        let from = random.below(ids.len());
        all.extend(ids[from..].iter().take(5 + random.below(40)));
        all.push(random.below(VOCAB) as u32);
    }
    all.truncate(room.min(60));
    all
}

fn new<'a>(
    random: &mut SplitMix64,
    tokenizer: &'a Tokenizer,
    (prefix_cache, queue): (&'a Mutex<PrefixCache>, &'a Queue),
    budget: usize,
) -> Engine<'a> {
    let guesses = [0, 1, 15, 60][random.below(4)];
    Engine::new(tokenizer, prefix_cache, queue, schedules::threads(), budget, guesses)
}

fn guesses_of(event: &Event) -> [u64; 2] {
    [event.guesses.guessed as u64, event.guesses.accepted as u64]
}

fn guesses(counts: &Counts) -> [u64; 2] {
    [counts.guessed_tokens, counts.kept_tokens]
}

fn assert_guessed(most: u64, happened: Happened) {
    let Happened { guessed, accepted, .. } = happened;
    assert!(accepted > most && guessed - accepted > most, "nothing was guessed: {happened:?}");
}

#[test]
fn in_any_company_each_answer_is_its_own() {
    assert_guessed(1000, with_a_model_that_remembers(0..200));
}

#[test]
#[ignore = "cargo prove: 2,000 schedules, or as many as SCHEDULES says"]
fn in_thousands_of_schedules_each_answer_is_its_own() {
    assert_guessed(1000, with_a_model_that_remembers(or_as_many(2_000)));
}

#[test]
fn with_a_real_model_each_answer_is_its_own() {
    assert_guessed(0, with_the_tiny_model(0..4));
}

#[test]
#[ignore = "cargo prove: 20 schedules of the tiny model, or as many as SCHEDULES says"]
fn in_more_schedules_of_a_real_model_each_answer_is_its_own() {
    assert_guessed(0, with_the_tiny_model(or_as_many(20)));
}
