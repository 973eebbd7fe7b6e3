//! Answers by schemas, drawn without a model: any token that may come is as likely as any other. A line of standard input is a
//! schema, and its line of output an answer or why there is none. Standard error says what the masks cost. The vocabulary is
//! the tiny model's, or that of a file.

use std::env;
use std::error::Error;
use std::io::{Write, stderr, stdin, stdout};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use ch16_structured_output::grammar::Grammar;
use ch16_structured_output::matcher::Matcher;
use ch16_structured_output::token_trie::TokenTrie;
use ground::embedded;
use ground::gguf::Gguf;
use ground::random::SplitMix64;
use ground::tokenizer::Tokenizer;
use serde_json::{Value, json};

/// The most tokens of an answer.
const MOST: usize = 512;

fn main() -> Result<(), Box<dyn Error>> {
    let file = match env::args().nth(1) {
        Some(path) => Gguf::open(Path::new(&path))?,
        None => embedded::tiny_qwen3()?,
    };
    let start = Instant::now();
    let trie = Arc::new(TokenTrie::new(&Tokenizer::from_gguf(&file)?));
    let built = start.elapsed();
    let (mut random, mut masks, mut slowest) = (SplitMix64::new(0), Vec::new(), 0.0f64);
    for line in stdin().lines() {
        let line = line?;
        let start = Instant::now();
        let schema = serde_json::from_str(&line).map_err(|error| error.to_string());
        let told = match schema.and_then(|schema| grammar(&schema)) {
            Ok(grammar) => {
                let matcher = Matcher::new(Arc::new(grammar), trie.clone());
                answer(matcher, &trie, &mut random, &mut masks)
            }
            Err(why) => json!({ "refused": why }),
        };
        slowest = slowest.max(start.elapsed().as_secs_f64());
        writeln!(stdout(), "{told}")?;
    }
    masks.sort_by(f64::total_cmp);
    let part = |part: f64| masks.get((masks.len() as f64 * part) as usize).unwrap_or(&0.0);
    writeln!(
        stderr(),
        "{} tokens in a trie after {} ms; {} masks: median {:.4} ms, p99 {:.3} ms; the slowest schema took {slowest:.2} s",
        trie.vocab(),
        built.as_millis(),
        masks.len(),
        part(0.5),
        part(0.99),
    )?;
    Ok(())
}

fn grammar(schema: &Value) -> Result<Grammar, String> {
    Grammar::from_schema(schema).map_err(|error| error.to_string())
}

fn answer(
    mut matcher: Matcher,
    trie: &TokenTrie,
    random: &mut SplitMix64,
    masks: &mut Vec<f64>,
) -> Value {
    let mut text = Vec::new();
    for written in 0..MOST {
        let start = Instant::now();
        let mask = matcher.mask();
        masks.push(start.elapsed().as_secs_f64() * 1e3);
        let all: Vec<u32> = mask.iter().collect();
        if all.is_empty() || matcher.may_end() && random.below(2) == 0 {
            let answer = String::from_utf8_lossy(&text);
            return json!({ "answer": answer, "tokens": written });
        }
        let id = all[random.below(all.len())];
        assert!(matcher.accept(id), "the mask has {id}");
        text.extend(trie.bytes(id));
    }
    json!({ "unfinished": String::from_utf8_lossy(&text) })
}
