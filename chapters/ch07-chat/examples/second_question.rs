//! How soon the first token of an answer comes: 20 tokens of a question behind conversations of several lengths, with
//! what the cache holds of them and with nothing. In turn, so that a slow minute hits both.
//!
//! `cargo run --release -p ch07-chat --example second_question -- MODEL.gguf [THREADS [REPEATS]]`

use std::path::Path;
use std::time::Instant;

use ch07_chat::backend::Backend;
use ch07_chat::cache::Mode;
use ch07_chat::compute::ComputeContext;
use ch07_chat::context::Context;
use ch07_chat::how::{How, PREFILL_CHUNK};
use ch07_chat::profile;
use ch07_chat::recorder::system_clock;
use ch07_chat::session::Session;
use ground::cli::open_model;
use ground::error::Error;
use ground::machine::{Machine, usable_cores};
use ground::random::SplitMix64;
use serde_json::{Value, json};

const BEFORE: [usize; 3] = [100, 1000, 4000];
const QUESTION: usize = 20;

fn main() -> Result<(), Error> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, otherwise: usize| {
        arguments.get(at).and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    };
    let model = arguments.first().ok_or_else(|| Error::chapter("which model? give a file"))?;
    let (threads, repeats) = (number(1, usable_cores()), number(2, 5));

    let file = open_model(Some(Path::new(model)))?;
    let backend = Backend::choose("auto")?;
    let session = Session::open(&file, system_clock(), ComputeContext::new(backend, threads)?)?;
    let how = How { kv: Mode::Contiguous, prefill_chunk: PREFILL_CHUNK };
    let config = &session.model.config;
    let mut random = SplitMix64::new(3);
    let mut ids = |count: usize| -> Vec<u32> {
        (0..count).map(|_| random.below(config.vocab) as u32).collect()
    };
    let empty = |positions: usize| -> Result<Context, Error> {
        Ok(Context::new(how.kv.cache(config, positions)?, &how, positions))
    };
    // Milliseconds until the logits of the first token of the answer are there.
    let answer = |context: &mut Context, ids: &[u32]| -> Result<f64, Error> {
        let start = Instant::now();
        let kept = context.keep(ids);
        context.forward(&session.model, &ids[kept..], &mut |_| true)?;
        Ok(start.elapsed().as_secs_f64() * 1e3)
    };

    let (mut told, mut cells) = (Vec::new(), Vec::new());
    for before in BEFORE {
        let conversation = ids(before);
        let mut talk = empty(before + QUESTION)?;
        answer(&mut talk, &conversation)?; // every weight has been read: the first run of anything is slower
        let (mut kept_ms, mut anew_ms) = (Vec::new(), Vec::new());
        for _ in 0..repeats {
            // Another question each time: of the last one nothing is kept.
            let all = [conversation.clone(), ids(QUESTION)].concat();
            kept_ms.push(answer(&mut talk, &all)?);
            anew_ms.push(answer(&mut empty(before + QUESTION)?, &all)?);
        }
        let all = [conversation, ids(QUESTION)].concat();
        profile::start();
        answer(&mut talk, &all)?;
        let times = [median(&kept_ms), median(&anew_ms)];
        // As `cargo run -- plot` reads them.
        for (setting, tokens, ms) in [
            ("everything again", before + QUESTION, times[1]),
            ("only what is new", QUESTION, times[0]),
        ] {
            cells.push(json!({
                "setting": setting,
                "point": { "kind": "depth", "tokens": before },
                "forwards": [{ "phase": "prefill", "tokens": tokens, "ms": ms, "end": before + QUESTION }],
            }));
        }
        told.push(json!({
            "tokens_before": before,
            "question": QUESTION,
            "kept_ms": kept_ms,
            "anew_ms": anew_ms,
            "median_ms": times,
            "times_sooner": times[1] / times[0],
            "profile_of_kept": profile::finish(),
        }));
    }
    let told: Value = json!({
        "machine": Machine::describe(),
        "command": "cargo run --release -p ch07-chat --example second_question -- MODEL.gguf",
        "model": config.name,
        "backend": backend.name(),
        "threads": threads,
        "repeats": repeats,
        "runs": told,
        "cells": cells,
    });
    println!("{told:#}");
    Ok(())
}

fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    (sorted[(sorted.len() - 1) / 2] + sorted[sorted.len() / 2]) / 2.0
}
