//! What a mask costs: by trying each token, by a walk over the trie, and by a walk over what isn't plain; and what it costs in
//! answers that are drawn without a model, by schemas that were never asked for before.
//!
//! `cargo run -p ch16-structured-output --example masks -- VOCABULARY.gguf`

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use ch16_structured_output::automaton::Automaton;
use ch16_structured_output::grammar::Grammar;
use ch16_structured_output::matcher::Matcher;
use ch16_structured_output::token_trie::TokenTrie;
use ground::gguf::Gguf;
use ground::machine::Machine;
use ground::random::SplitMix64;
use ground::tokenizer::Tokenizer;
use serde_json::{Value, json};

/// Answers to each schema.
const ANSWERS: usize = 50;

fn schemas() -> [Value; 3] {
    let place = json!({"enum": ["garden", "kitchen", "hall"]});
    let text = json!({"type": "string", "maxLength": 200});
    [
        json!({"type": "object", "properties": {"place": place, "since": {"type": "integer", "minimum": 1}, "note": text},
            "required": ["place", "since", "note"]}),
        json!({"type": "array", "minItems": 5, "maxItems": 20, "items": {"type": "object", "required": ["name", "tags"],
            "properties": {"name": {"type": "string"}, "size": {"type": "number"}, "tags": {"type": "array", "items": {"type": "string"}}}}}),
        json!({"type": "object"}),
    ]
}

fn main() -> Result<(), Box<dyn Error>> {
    let path: PathBuf =
        std::env::args().nth(1).ok_or("expected a file with a vocabulary")?.into();
    let tokenizer = Tokenizer::from_gguf(&Gguf::open(&path)?)?;
    let start = Instant::now();
    let trie = Arc::new(TokenTrie::new(&tokenizer));
    let built = ms(start);

    let grammar =
        Arc::new(Grammar::from_schema(&json!({"type": "array", "items": {"type": "string"}}))?);
    let mut automaton = Automaton::new(grammar, trie.clone());
    let mut state = Automaton::START;
    for &byte in b"[\"a" {
        state = automaton.step(state, byte).ok_or("it's a list")?;
    }
    let (mut tried, mut walked, mut rest) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..9 {
        let start = Instant::now();
        let bytes = |id| {
            trie.bytes(id).iter().try_fold(state, |state, &byte| automaton.step(state, byte))
        };
        let may = (0..trie.vocab() as u32).filter_map(bytes).count();
        tried.push(ms(start));
        assert!(may > 0, "something may come");
        for (rest, times) in [(false, &mut walked), (true, &mut rest)] {
            let start = Instant::now();
            trie.allowed(rest, state, |state, byte| automaton.step(state, byte));
            times.push(ms(start));
        }
    }

    let (mut random, mut masks) = (SplitMix64::new(16), Vec::new());
    for schema in schemas() {
        let first = Matcher::new(Arc::new(Grammar::from_schema(&schema)?), trie.clone());
        for _ in 0..ANSWERS {
            let mut matcher = first.clone();
            for _ in 0..512 {
                let start = Instant::now();
                let mask = matcher.mask();
                masks.push(ms(start));
                let all: Vec<u32> = mask.iter().collect();
                if all.is_empty() || matcher.may_end() && random.below(2) == 0 {
                    break;
                }
                matcher.accept(all[random.below(all.len())]);
            }
        }
    }
    masks.sort_by(f64::total_cmp);
    let part = |part: f64| masks[(masks.len() as f64 * part) as usize];
    let told = json!({
        "machine": Machine::describe(),
        "what": "Milliseconds of a mask, one thread. In a string: by trying each token, by the trie, by what isn't plain.",
        "vocab": trie.vocab(),
        "trie_ms": built,
        "in_a_string": { "tried_ms": spread(tried), "walked_ms": spread(walked), "rest_ms": spread(rest) },
        "in_answers": { "masks": masks.len(), "median_ms": part(0.5), "p99_ms": part(0.99), "most_ms": part(1.0 - 1e-9) },
    });
    println!("{told:#}");
    Ok(())
}

fn ms(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}

fn spread(mut values: Vec<f64>) -> Value {
    values.sort_by(f64::total_cmp);
    json!({ "median": values[values.len() / 2], "min": values[0], "max": values[values.len() - 1] })
}
