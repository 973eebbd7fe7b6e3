//! A vocabulary and its merges as a file lists them, checked before they are used.

use super::TokenizerError;
use ahash::AHashMap;

pub type Ids = AHashMap<String, u32>;
pub type Bytes = AHashMap<char, u8>; // the way back from a byte's character

/// How a byte-level vocabulary writes each byte: those that show as themselves, the others as the
/// characters from U+0100 on.
pub fn byte_alphabet() -> [char; 256] {
    let shows = |byte: &u8| matches!(byte, b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF);
    let mut alphabet = std::array::from_fn(|byte| char::from(byte as u8));
    let hidden = (0..=255).filter(|byte| !shows(byte));
    for (byte, character) in hidden.zip('\u{100}'..) {
        alphabet[usize::from(byte)] = character;
    }
    alphabet
}

/// The bytes that a token is made of, if all of it is written in the alphabet.
pub fn written(token: &str, bytes: &Bytes) -> Option<Vec<u8>> {
    token.chars().map(|character| bytes.get(&character).copied()).collect()
}

/// The ids of the tokens, which must be different.
pub fn number(tokens: &[&str]) -> Result<Ids, TokenizerError> {
    let mut ids = Ids::with_capacity(tokens.len());
    for (second, &token) in (0..).zip(tokens) {
        if let Some(first) = ids.insert(token.to_owned(), second) {
            return Err(TokenizerError::Doubled { token: token.to_owned(), first, second });
        }
    }
    Ok(ids)
}

/// The bytes that no token writes.
pub fn missing(ids: &Ids, alphabet: &[char; 256]) -> Vec<u8> {
    let written = |byte: &u8| ids.contains_key(&alphabet[usize::from(*byte)].to_string());
    (0..=255).filter(|byte| !written(byte)).collect()
}

/// The merges, in the file "left right", the best first.
pub fn merges(lines: &[&str], ids: &Ids) -> Result<Vec<(String, String)>, TokenizerError> {
    // The library would panic where the two together are longer than any token.
    let known = |token: &str| ids.contains_key(token);
    let pair = |(number, line): (usize, &&str)| match line.split_once(' ') {
        Some((a, b)) if known(a) && known(b) && known(&[a, b].concat()) => {
            Ok((a.to_owned(), b.to_owned()))
        }
        _ => Err(TokenizerError::Merge { number, merge: line.to_string() }),
    };
    lines.iter().enumerate().map(pair).collect()
}

/// The library searches a text for all special tokens at once, by a table of some hundred bytes for
/// each of their letters. A Qwen3 has 26 of them, with 400 letters, and a Gemma 3 thousands, with 76,000.
const MOST_SPECIAL: usize = 96 << 10;

/// The names of all special tokens together.
pub fn check_special(found: usize) -> Result<(), TokenizerError> {
    if found > MOST_SPECIAL {
        return Err(TokenizerError::Special { found, most: MOST_SPECIAL });
    }
    Ok(())
}
