use std::iter::repeat;

use ground::tokenizer::Tokenizer;

/// Some tokens of a vocabulary: a bit for each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TokenSet(Vec<u64>);

impl TokenSet {
    pub fn new(vocab: usize) -> TokenSet {
        TokenSet(vec![0; vocab.div_ceil(64)])
    }

    pub fn set(&mut self, id: u32, may_come: bool) {
        let bits = &mut self.0[id as usize / 64];
        *bits = *bits & !(1 << (id % 64)) | u64::from(may_come) << (id % 64);
    }

    pub fn contains(&self, id: u32) -> bool {
        self.0.get(id as usize / 64).is_some_and(|bits| bits >> (id % 64) & 1 == 1)
    }

    pub fn extend(&mut self, others: &TokenSet) {
        self.0.iter_mut().zip(&others.0).for_each(|(bits, more)| *bits |= more);
    }

    /// Makes all other tokens impossible.
    pub fn apply(&self, logits: &mut [f32]) {
        for (bits, logits) in self.0.iter().chain(repeat(&0)).zip(logits.chunks_mut(64)) {
            match *bits {
                u64::MAX => {}
                0 => logits.fill(f32::NEG_INFINITY),
                _ => (0..)
                    .zip(logits)
                    .filter(|(bit, _)| bits >> bit & 1 == 0)
                    .for_each(|(_, logit)| *logit = f32::NEG_INFINITY),
            }
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = u32> {
        (0..self.0.len() as u32 * 64).filter(move |&id| self.contains(id))
    }
}

/// A token among others in the order of their bytes. Such a list is a trie: what a token shares with the one before it, is theirs
/// together.
struct Entry {
    text: Box<[u8]>,
    id: u32,
    shared: usize, // bytes
    behind: usize, // the next token that shares less with the one before it
}

/// The tokens that a text can be made of. Control tokens add nothing to a text, so they aren't among them.
pub struct TokenTrie {
    bytes: Vec<Box<[u8]>>, // of each token
    all: Vec<Entry>,
    rest: Vec<Entry>,     // without the plain ones
    plain: Vec<TokenSet>, // all of whose characters mean themselves in a JSON string, at most so many
    /// No token that isn't plain has more characters of a string.
    pub reach: usize,
}

impl TokenTrie {
    pub fn new(tokenizer: &Tokenizer) -> TokenTrie {
        let bytes = |id| tokenizer.printed_bytes(id).unwrap_or_default().into();
        TokenTrie::of((0..tokenizer.vocab_size() as u32).map(bytes).collect())
    }

    /// Of the bytes of each token, in the order of their ids.
    pub fn of(bytes: Vec<Box<[u8]>>) -> TokenTrie {
        let mut all: Vec<(&[u8], u32)> = bytes.iter().map(|text| &**text).zip(0..).collect();
        all.retain(|(text, _)| !text.is_empty());
        all.sort_unstable();
        let (mut plain, mut rest) = (vec![TokenSet::new(bytes.len())], Vec::new());
        for &(text, id) in &all {
            let Some(count) = plain_characters(text) else {
                rest.push((text, id));
                continue;
            };
            while plain.len() <= count {
                plain.push(plain[plain.len() - 1].clone());
            }
            plain[count..].iter_mut().for_each(|set| set.set(id, true));
        }
        // A control character is in no string.
        let in_strings = rest.iter().filter(|(text, _)| text.iter().all(|byte| *byte >= b' '));
        let reach = in_strings.map(|(text, _)| text.len()).max().unwrap_or(0);
        TokenTrie { all: entries(&all), rest: entries(&rest), plain, reach, bytes }
    }

    pub fn vocab(&self) -> usize {
        self.bytes.len()
    }

    /// What a token adds to the text.
    pub fn bytes(&self, id: u32) -> &[u8] {
        self.bytes.get(id as usize).map_or(&[], |bytes| bytes)
    }

    /// Tokens of at most so many characters, all of which mean themselves in a JSON string.
    pub fn plain(&self, most: usize) -> &TokenSet {
        &self.plain[most.min(self.plain.len() - 1)]
    }

    /// The tokens whose bytes can be taken, one after another, from `start` on; `rest` leaves plain ones out.
    pub fn allowed<S: Copy>(
        &self,
        rest: bool,
        start: S,
        mut step: impl FnMut(S, u8) -> Option<S>,
    ) -> TokenSet {
        let mut set = TokenSet::new(self.vocab());
        let (all, mut at) = (if rest { &self.rest } else { &self.all }, 0);
        let mut states = vec![start]; // after each byte that could be taken of the last token
        while let Some(token) = all.get(at) {
            if token.shared >= states.len() {
                at = token.behind; // it begins with a byte that was refused, or goes on from there
                continue;
            }
            states.truncate(token.shared + 1);
            for &byte in &token.text[token.shared..] {
                let Some(state) = step(states[states.len() - 1], byte) else { break };
                states.push(state);
            }
            if states.len() > token.text.len() {
                set.set(token.id, true);
            }
            at += 1;
        }
        set
    }
}

fn entries(tokens: &[(&[u8], u32)]) -> Vec<Entry> {
    let (mut all, mut before): (Vec<Entry>, &[u8]) = Default::default();
    for &(text, id) in tokens {
        let shared = text.iter().zip(before).take_while(|(a, b)| a == b).count();
        all.push(Entry { text: text.into(), id, shared, behind: 0 });
        before = text;
    }
    for at in (0..all.len()).rev() {
        let mut behind = at + 1;
        while all.get(behind).is_some_and(|next| next.shared >= all[at].shared) {
            behind = all[behind].behind;
        }
        all[at].behind = behind;
    }
    all
}

/// How many characters, if all of them are whole and mean themselves between the quotes of a JSON string.
fn plain_characters(text: &[u8]) -> Option<usize> {
    let text = std::str::from_utf8(text).ok()?;
    let is_plain = |c: char| c >= ' ' && c != '"' && c != '\\';
    text.chars().all(is_plain).then(|| text.chars().count())
}
