//! A vocabulary and its merges as a file lists them, checked before they are used.

use super::TokenizerError;
use ahash::AHashMap;

type Ids = AHashMap<String, u32>;
type Alphabet = AHashMap<char, u8>;

/// How a byte-level vocabulary writes bytes: those that show as themselves, the others as the
/// characters from U+0100 on.
pub fn byte_alphabet() -> Alphabet {
    let shows = |byte: &u8| matches!(byte, b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF);
    let (shown, hidden): (Vec<u8>, Vec<u8>) = (0..=255).partition(shows);
    let shown = shown.into_iter().map(|byte| (char::from(byte), byte));
    shown.chain(('\u{100}'..).zip(hidden)).collect()
}

/// The bytes that a token stands for, if all of it is written in the alphabet.
pub fn written(token: &str, alphabet: &Alphabet) -> Option<Vec<u8>> {
    token.chars().map(|character| alphabet.get(&character).copied()).collect()
}

/// The ids of the tokens, which must be different and able to write any text.
pub fn number(tokens: &[&str], alphabet: &Alphabet) -> Result<Ids, TokenizerError> {
    let mut ids = Ids::with_capacity(tokens.len());
    for (second, &token) in (0..).zip(tokens) {
        if let Some(first) = ids.insert(token.to_owned(), second) {
            return Err(TokenizerError::Doubled { token: token.to_owned(), first, second });
        }
    }
    // The library would leave out, without a word, what it has no token for.
    let missing =
        alphabet.iter().filter(|(character, _)| !ids.contains_key(&character.to_string()));
    match missing.map(|(_, &byte)| byte).min() {
        Some(byte) => Err(TokenizerError::MissingByte { byte }),
        None => Ok(ids),
    }
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
