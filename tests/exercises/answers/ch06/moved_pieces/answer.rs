//? title: Attention in pieces, with a fault
//? page: ch06/pieces.md
//? section: Where the pieces begin
//? level: core
//? minutes: 20
//? call: check(answer::attend)
//? hint 1: Which chunks does the check name, and which are right? Write down the pieces of the query at position 6, once for the text in one chunk, and once for chunks of 3.
//? hint 2: The first piece of a chunk begins where the chunk begins, and the last piece of the past is cut short there. The values hardly change, but the sums are added up in another order. Where has a piece to begin, so that no chunk can move it?
//? hint 3: What a query sees is one row of scores, from position 0 on. The cut at `position` has no meaning there: `let pieces = scores[..position + t + 1].chunks(PIECE);`.
//? why: The past and the chunk's own keys were each cut into pieces from their own beginning. A chunk that begins at position
//?   3 then has a piece from 3 on, and the piece before it ends early. Both cuts give the softmax up to rounding, and not the
//?   same bits: a sum of pieces depends on where they end. Cut from position 0 on, a piece is at the same place of the text,
//?   however the text comes. With pieces of 64 and chunks of 512, no chunk of a prompt begins inside a piece, so prompts
//?   alone would not show it. Decoding would: 63 of 64 positions are inside a piece, and there the bits would not be those of
//?   the same text read as a prompt.

//! One head, with values of a single number. A chunk of a text comes in: its queries are at `position`, `position + 1`, and
//! so on. The scores are there already, one row for each query: first those of the keys before the chunk, then those of the
//! chunk's own keys. A query sees the keys up to its own position. Columns after that are there, and do not count.
//!
//! The engine promises the same bits for a text, in one chunk or in many. So attention is defined to the bit. The text is cut
//! into pieces of `PIECE` positions, from position 0 on. A query begins with largest = minus infinity, and with 0.0 in `sum`
//! and in `mixed`. For each piece that it sees, or for as much of it as it sees:
//!
//! - new is the larger of `largest` and the scores of the piece, and factor = exp(largest - new).
//! - The weight of a key is w = exp(score - new). The sum of the piece begins with 0.0, and the weights are added in order.
//! - sum = sum * factor + the sum of the piece. mixed = mixed * factor, and then w * v is added for each key, in order.
//!
//! At the end the output is mixed / sum. All is in `f32`, and nothing is fused.
//!
//! This function does so for a text in one chunk, and for some other chunks. With the rest, the bits differ. Find its fault,
//! and mend it.

const PIECE: usize = 4;

// scores: [queries, keys], values: [keys] -> [queries]
pub fn attend(scores: &[f32], values: &[f32], position: usize) -> Vec<f32> {
    let query = |(t, scores): (usize, &[f32])| {
        //-- starter
        // // First what the cache holds, then the chunk's own keys.
        // let (past, own) = scores[..position + t + 1].split_at(position);
        // let pieces = past.chunks(PIECE).chain(own.chunks(PIECE));
        //-- solution
        let pieces = scores[..position + t + 1].chunks(PIECE);
        //-- end
        let mut values = values.iter();
        let (mut largest, mut sum, mut mixed) = (f32::NEG_INFINITY, 0.0, 0.0);
        for piece in pieces {
            let new = piece.iter().copied().fold(largest, f32::max);
            let factor = (largest - new).exp();
            largest = new;
            mixed *= factor;
            let mut of_piece = 0.0;
            for (score, value) in piece.iter().zip(&mut values) {
                let weight = (score - new).exp();
                of_piece += weight;
                mixed += weight * value;
            }
            sum = sum * factor + of_piece;
        }
        mixed / sum
    };
    scores.chunks(values.len()).enumerate().map(query).collect()
}
