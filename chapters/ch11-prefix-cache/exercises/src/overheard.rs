//! What a cache tells about the texts of others
//!
//! Some server has one prefix cache for all of its clients, and answers to each how many of its tokens were in the cache.
//! A hit is the longest common beginning with any text that has been asked, to the token. Another client's text
//! is in there, and you'd like to know it.
//!
//! - `overhear(ask, vocabulary, length)`: find that text. It has `length` tokens, each below `vocabulary`. `ask(text)`
//!   asks the server and returns how many tokens of your text were in the cache. At first the cache has the other client's
//!   text and nothing else. What you ask enters it as well, whole. You may ask `length * vocabulary` questions, and
//!   none with a token that doesn't exist.
//! - `most_questions(vocabulary, length, block)`: how many questions that takes at most, if a hit is always a whole number
//!   of blocks of `block` tokens (at least 1). Each block is guessed as a whole then, until it is found; every
//!   possible block is asked, the last one too. What is left over at the end of the text is in no block and can't be
//!   found. `None` if the number doesn't fit 64 bits.
//!
//! Level: core, about 30 minutes.
//! Read: "A tree for each key", in the book at ch11/owners.html.
//! Run: `cargo run -- watch overheard`, or once: `cargo test -p ch11-exercises overheard`.
//! Stuck: `cargo run -- hint overheard`. Done: `cargo run -- solution overheard`. Start over: `cargo run -- reset overheard`.

pub fn overhear(
    ask: &mut dyn FnMut(&[u32]) -> usize,
    vocabulary: u32,
    length: usize,
) -> Vec<u32> {
    todo!()
}

pub fn most_questions(vocabulary: u64, length: u64, block: u32) -> Option<u64> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(overhear, most_questions) in "../../../../tests/exercises/answers/ch11/overheard.rs");
