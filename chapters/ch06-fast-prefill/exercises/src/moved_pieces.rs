//! Attention in blocks, with a fault
//!
//! One head, with values of a single number. A chunk of a text comes in: its queries are at `position`, `position + 1`, and
//! so on. The scores are there already, one row for each query: first those of the keys before the chunk, then those of the
//! chunk's own keys. A query sees the keys up to its own position. Columns after that are there, and do not count.
//!
//! The engine promises the same bits for a text, in one chunk or in many. So attention is defined to the bit. The text is cut
//! into blocks of `BLOCK_SIZE` positions, from position 0 on. A query begins with largest = minus infinity, and with 0.0 in `sum`
//! and in `mixed`. For each block that it sees, or for as much of it as it sees:
//!
//! - new is the larger of `largest` and the scores of the block, and factor = exp(largest - new).
//! - The weight of a key is w = exp(score - new). The sum of the block begins with 0.0, and the weights are added in order.
//! - sum = sum * factor + the sum of the block. mixed = mixed * factor, and then w * v is added for each key, in order.
//!
//! At the end the output is mixed / sum. All is in `f32`, and nothing is fused.
//!
//! This function does so for a text in one chunk, and for some other chunks. With the rest, the bits differ. Find its fault,
//! and mend it.
//!
//! Level: core, about 20 minutes.
//! Read: "Where the blocks begin", in the book at ch06/pieces.html.
//! Run: `cargo run -- watch moved_pieces`, or once: `cargo test -p ch06-exercises moved_pieces`.
//! Stuck: `cargo run -- hint moved_pieces`. Done: `cargo run -- solution moved_pieces`. Start over: `cargo run -- reset moved_pieces`.

const BLOCK_SIZE: usize = 4;

// scores: [queries, keys], values: [keys] -> [queries]
pub fn attend(scores: &[f32], values: &[f32], position: usize) -> Vec<f32> {
    let query = |(t, scores): (usize, &[f32])| {
        // First what the cache holds, then the chunk's own keys.
        let (past, own) = scores[..position + t + 1].split_at(position);
        let blocks = past.chunks(BLOCK_SIZE).chain(own.chunks(BLOCK_SIZE));
        let mut values = values.iter();
        let (mut largest, mut sum, mut mixed) = (f32::NEG_INFINITY, 0.0, 0.0);
        for block in blocks {
            let new = block.iter().copied().fold(largest, f32::max);
            let factor = (largest - new).exp();
            largest = new;
            mixed *= factor;
            let mut of_block = 0.0;
            for (score, value) in block.iter().zip(&mut values) {
                let weight = (score - new).exp();
                of_block += weight;
                mixed += weight * value;
            }
            sum = sum * factor + of_block;
        }
        mixed / sum
    };
    scores.chunks(values.len()).enumerate().map(query).collect()
}

// The test. It stays here.
exercise_kit::exercise!(check(attend) in "../../../../tests/exercises/answers/ch06/moved_pieces.rs");
