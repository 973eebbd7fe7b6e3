//! Which tokens can come in a number, and which in a string? Whoever tries each asks about many bytes, and the walk over the
//! trie about fewer.

use std::error::Error;

use ch16_structured_output::token_trie::{TokenSet, TokenTrie};
use ground::embedded;
use ground::tokenizer::Tokenizer;

const NUMBER: u8 = 0;
const STRING: u8 = 1;
const QUOTE: u8 = 2; // has come: the string is over
const COMMA: u8 = 3;
const SPACE: u8 = 4;

/// Where a list of numbers or of strings is after one more byte. What characters are made of is left out here.
fn step(state: u8, byte: u8) -> Option<u8> {
    match (state, byte) {
        (NUMBER, b'0'..=b'9') | (SPACE, b'0'..=b'9') => Some(NUMBER),
        (NUMBER | QUOTE, b',') => Some(COMMA),
        (COMMA, b' ') => Some(SPACE),
        (SPACE, b'"') => Some(STRING),
        (STRING, b'"') => Some(QUOTE),
        (STRING, b' '..) if byte != b'\\' => Some(STRING),
        _ => None,
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let trie = TokenTrie::new(&Tokenizer::from_gguf(&embedded::tiny_qwen3()?)?);
    println!("of {} tokens         may come  bytes, tried  walked  the rest", trie.vocab());
    for (name, state) in [("in a number", NUMBER), ("in a string", STRING)] {
        let (mut tried, mut may) = (0, TokenSet::new(trie.vocab()));
        for id in 0..trie.vocab() as u32 {
            let mut state = Some(state);
            for &byte in trie.bytes(id) {
                tried += usize::from(state.is_some());
                state = state.and_then(|state| step(state, byte));
            }
            if state.is_some() && !trie.bytes(id).is_empty() {
                may.set(id, true);
            }
        }
        let walk = |rest: bool| {
            let mut asked = 0;
            let found = trie.allowed(rest, state, |state, byte| {
                asked += 1;
                step(state, byte)
            });
            (asked, found)
        };
        let ((walked, found), (rest, _)) = (walk(false), walk(true));
        assert!(found == may, "the walk finds others");
        let rest = if state == STRING { rest.to_string() } else { "-".into() };
        println!("{name:22} {:10} {tried:13} {walked:7} {rest:>9}", may.iter().count());
    }
    Ok(())
}
