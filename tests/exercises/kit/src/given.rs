//! What tasks hand to the reader: a few types, by the theme of the exercises that have them.

/// What the parity exercise tests: an engine that can be asked with and without a cache.
pub mod engine {
    /// Ids in, logits out.
    pub trait Engine {
        /// Ids go from 0 to `vocab() - 1`.
        fn vocab(&self) -> u32;

        /// How many ids a sequence may have.
        fn context_length(&self) -> usize;

        /// Without a cache: the whole sequence, and the logits of its last position. // [vocab]
        fn whole(&self, ids: &[u32]) -> Vec<f32>;

        /// A session with an empty cache.
        fn session(&self) -> Box<dyn Session + '_>;
    }

    /// A sequence that grows, with a cache.
    pub trait Session {
        /// Appends one id or several, and gives the logits of the last of them. // [vocab]
        fn step(&mut self, ids: &[u32]) -> Vec<f32>;
    }
}

/// The error of the fixed cache exercise.
pub mod cache {
    /// The rows do not fit. Nothing was written.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct CacheFull {
        /// Rows that the cache holds.
        pub length: usize,
        /// Rows that were to be added.
        pub adding: usize,
        /// Rows that it can hold.
        pub capacity: usize,
    }
}

/// What a pass is estimated from.
pub mod pass {
    /// A model, and the machine that computes it.
    #[derive(Clone, Copy, Debug)]
    pub struct Pass {
        /// The bytes of all weights.
        pub weights: u64,
        /// What a row computes with them.
        pub operations: u64,
        /// The bytes of keys and values of a position.
        pub cache: u64,
        /// Bytes that come in a nanosecond, at least 1.
        pub bandwidth: u64,
        /// Operations in a nanosecond, at least 1.
        pub rate: u64,
    }
}

/// The messages of the exercises about a conversation.
pub mod conversation {
    /// Who speaks.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Role {
        System,
        User,
        Assistant,
    }

    /// What somebody said.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Message {
        pub role: Role,
        pub text: String,
    }
}

/// The small blocks of the exercises about a paged cache: they have tokens where the engine's have keys and values.
pub mod blocks {
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
}

/// The types of the exercises about texts that begin alike.
pub mod prefix {
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
}

/// The types of the exercises about who goes next.
pub mod schedule {
    /// What has happened to a text.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Happened {
        /// So many of its next rows were computed.
        Computed(usize),
        /// It has lost all its rows.
        Preempted,
    }
}
