//! Answers by schemas, drawn without a model: any token that may come is as likely as any other. A line of standard input is a
//! schema, and its line of output an answer or why there is none. The vocabulary is the
//! tiny model's. With `times`, standard error says what the masks have cost.

use std::env;
use std::error::Error;
use std::io::{Write, stderr, stdin, stdout};
use std::sync::Arc;
use std::time::Instant;

use ch16_structured_output::grammar::Grammar;
use ch16_structured_output::matcher::Matcher;
use ch16_structured_output::token_trie::TokenTrie;
use ground::embedded;
use ground::random::SplitMix64;
use ground::tokenizer::Tokenizer;
use serde_json::{Value, json};

/// The most tokens of an answer.
const MOST: usize = 512;

fn main() -> Result<(), Box<dyn Error>> {
    let trie = Arc::new(TokenTrie::new(&Tokenizer::from_gguf(&embedded::tiny_qwen3()?)?));
    let (mut random, mut masks) = (SplitMix64::new(0), Vec::new());
    let times = env::args().nth(1).is_some_and(|word| word == "times");
    for line in stdin().lines() {
        let line = line?;
        let start = Instant::now();
        let schema = serde_json::from_str(&line).map_err(|error| error.to_string());
        let mut told = match schema.and_then(|schema| grammar(&schema)) {
            Ok(grammar) => {
                let matcher = Matcher::new(Arc::new(grammar), trie.clone());
                answer(matcher, &trie, &mut random, &mut masks)
            }
            Err(why) => json!({ "refused": why }),
        };
        if times {
            told["seconds"] = json!(start.elapsed().as_secs_f64());
        }
        writeln!(stdout(), "{told}")?;
    }
    if times {
        masks.sort_by(f64::total_cmp);
        let part = |part: f64| masks.get((masks.len() as f64 * part) as usize).unwrap_or(&0.0);
        writeln!(
            stderr(),
            "{} masks: median {:.4} ms, p99 {:.3} ms",
            masks.len(),
            part(0.5),
            part(0.99),
        )?;
    }
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
