//! Answers by schemas, drawn without a model: any token that may come is as likely as any other. A line of standard input is a
//! schema, and its line of output an answer or why there is none. The vocabulary is the
//! tiny model's. With `times`, standard error says what the masks have cost. For `lab/schemas`: after `vocabulary`, the bytes of
//! each token; after `walks`, each mask on an answer's way; after `takes`, a line is a list of a schema and texts, and is told
//! which of them are answers.

use std::env;
use std::error::Error;
use std::io::{Write, stderr, stdin, stdout};
use std::sync::Arc;
use std::time::Instant;

use ch16_structured_output::grammar::Grammar;
use ch16_structured_output::matcher::Matcher;
use ch16_structured_output::token_trie::{TokenSet, TokenTrie};
use ground::embedded;
use ground::random::SplitMix64;
use ground::tokenizer::Tokenizer;
use serde_json::{Value, json};

/// The most tokens of an answer.
const MOST: usize = 512;

fn main() -> Result<(), Box<dyn Error>> {
    let trie = Arc::new(TokenTrie::new(&Tokenizer::from_gguf(&embedded::tiny_qwen3()?)?));
    let (mut random, mut masks) = (SplitMix64::new(0), Vec::new());
    let word = env::args().nth(1).unwrap_or_default();
    if word == "vocabulary" {
        let all: Vec<&[u8]> = (0..trie.vocab() as u32).map(|id| trie.bytes(id)).collect();
        writeln!(stdout(), "{}", json!(all))?;
        return Ok(());
    }
    for line in stdin().lines() {
        let line = line?;
        let start = Instant::now();
        let schema = serde_json::from_str(&line).map_err(|error| error.to_string());
        let (schema, texts) = match schema {
            Ok(Value::Array(mut all)) if word == "takes" => (Ok(all.remove(0)), all),
            schema => (schema, Vec::new()),
        };
        let mut told = match schema.and_then(|schema| grammar(&schema)) {
            Ok(grammar) => {
                let matcher = Matcher::new(Arc::new(grammar), trie.clone());
                let takes = texts.iter().map(|text| takes(&matcher, text)).collect::<Value>();
                let mut walk = (word == "walks").then(Vec::new);
                let mut told = answer(matcher, &trie, &mut random, &mut masks, &mut walk);
                if let Some(walk) = walk {
                    told["walk"] = json!(walk);
                }
                if word == "takes" {
                    told["takes"] = takes;
                }
                told
            }
            Err(why) => json!({ "refused": why }),
        };
        if word == "times" {
            told["seconds"] = json!(start.elapsed().as_secs_f64());
        }
        writeln!(stdout(), "{told}")?;
    }
    if word == "times" {
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

fn takes(start: &Matcher, text: &Value) -> bool {
    let mut matcher = start.clone();
    text.as_str().is_some_and(|text| matcher.accept_bytes(text.as_bytes())) && matcher.may_end()
}

fn answer(
    mut matcher: Matcher,
    trie: &TokenTrie,
    random: &mut SplitMix64,
    masks: &mut Vec<f64>,
    walk: &mut Option<Vec<Value>>,
) -> Value {
    let mut text = Vec::new();
    for written in 0..MOST {
        let start = Instant::now();
        let mask = matcher.mask();
        masks.push(start.elapsed().as_secs_f64() * 1e3);
        let all: Vec<u32> = mask.iter().collect();
        let ends = all.is_empty() || matcher.may_end() && random.below(2) == 0;
        let id = if ends { 0 } else { all[random.below(all.len())] };
        if let Some(walk) = walk {
            walk.push(json!([hex(&mask, trie.vocab()), matcher.may_end(), id]));
        }
        if ends {
            let answer = String::from_utf8_lossy(&text);
            return json!({ "answer": answer, "tokens": written });
        }
        assert!(matcher.accept(id), "the mask has {id}");
        text.extend(trie.bytes(id));
    }
    json!({ "unfinished": String::from_utf8_lossy(&text) })
}

/// Four tokens a digit, the first of them its lowest bit.
fn hex(mask: &TokenSet, vocab: usize) -> String {
    let digit = |first: usize| {
        let bits = (0..4).map(|bit| u32::from(mask.contains((first + bit) as u32)) << bit);
        char::from_digit(bits.sum(), 16).expect("it's below 16")
    };
    (0..vocab).step_by(4).map(digit).collect()
}
