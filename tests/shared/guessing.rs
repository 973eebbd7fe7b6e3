//! What `schedules.rs` asks of an engine that guesses.

use std::sync::Mutex;

use ground::config::Config;
use ground::random::SplitMix64;
use ground::request::{Options, Request};
use ground::tokenizer::Tokenizer;

use crate::engine::batch_item::BatchItem;
use crate::engine::decoder::EngineRequest;
use crate::engine::engine::Engine;
use crate::engine::prefix_cache::PrefixCache;
use crate::engine::queue::{Counts, Event, Queue};
use crate::schedules::remembers::VOCAB;
use crate::schedules::{Read, logits_of, threads};

/// Those after each of the last tokens.
pub type Logits = Vec<Vec<f32>>;

pub fn wanted(item: &BatchItem, read: &[Read]) -> Logits {
    let last = &read[read.len() - item.wanted..];
    last.iter().map(|&(hash, last)| logits_of(hash, last)).collect()
}

pub fn asked(
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

pub fn new<'a>(
    random: &mut SplitMix64,
    tokenizer: &'a Tokenizer,
    (prefix_cache, queue): (&'a Mutex<PrefixCache>, &'a Queue),
    budget: usize,
) -> Engine<'a> {
    let guesses = [0, 1, 15, 60][random.below(4)];
    Engine::new(tokenizer, prefix_cache, queue, threads(), budget, guesses)
}

pub fn guesses_of(event: &Event) -> [u64; 2] {
    [event.guesses.guessed as u64, event.guesses.accepted as u64]
}

pub fn guesses(counts: &Counts) -> [u64; 2] {
    [counts.guessed_tokens, counts.kept_tokens]
}
