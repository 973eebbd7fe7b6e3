//! The small blocks of the exercises about a paged cache: they have tokens where the engine's have keys and values.

/// So many tokens are in a full block.
pub const BLOCK: usize = 4;

/// A block of a room, and how many texts have it. If none has, it's free, whatever is still in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    pub tokens: Vec<u32>,
    pub holders: usize,
}

/// A text: the numbers of its blocks in the room, in order, and how many tokens it has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    pub blocks: Vec<usize>,
    pub length: usize,
}

/// What happens to a room whose requests say how long they will be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// One more request, for so many tokens. The first is number 0, the next number 1, refused or not.
    Arrives(usize),
    /// The request of this number is over.
    Leaves(usize),
}
