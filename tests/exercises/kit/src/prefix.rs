//! The types of the exercises about texts that begin alike.

use std::borrow::Borrow;
use std::cell::Cell;
use std::cmp::Ordering;

thread_local! {
    static LOOKS: Cell<usize> = const { Cell::new(0) };
}

/// A text that is a key of a sorted map. It is in the order of its tokens, as words are in a dictionary, and it counts
/// how often it's looked at, by a map too.
#[derive(Debug)]
pub struct Text(Vec<u32>);

impl Text {
    pub fn new(tokens: &[u32]) -> Text {
        Text(tokens.to_vec())
    }

    pub fn tokens(&self) -> &[u32] {
        LOOKS.set(LOOKS.get() + 1);
        &self.0
    }
}

/// A map finds it by its tokens.
impl Borrow<[u32]> for Text {
    fn borrow(&self) -> &[u32] {
        self.tokens()
    }
}

impl Ord for Text {
    fn cmp(&self, other: &Text) -> Ordering {
        self.tokens().cmp(&other.0)
    }
}

impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Text) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Text) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Text {}

/// How often texts were looked at on this thread since it was asked last.
pub fn looks() -> usize {
    LOOKS.replace(0)
}

/// A node of a tree of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The number of the node before it, of whose text it is the continuation.
    pub parent: Option<usize>,
    /// How many texts have its block. The tree has it too, and isn't counted.
    pub holders: usize,
    /// When somebody needed it last. A larger number is later.
    pub used: u64,
}

/// How many tokens the model knows.
pub const VOCABULARY: u32 = 151_936;

/// A key for a block of tokens in sixteen bits. `before` is the key of the block before it, or 0.
pub fn key(before: u16, tokens: &[u32]) -> u16 {
    let begin = 0x811c_9dc5 ^ u32::from(before);
    let mix = |hash: u32, token: &u32| (hash ^ token).wrapping_mul(0x0100_0193);
    let hash = tokens.iter().fold(begin, mix);
    (hash >> 16) as u16 ^ hash as u16
}
