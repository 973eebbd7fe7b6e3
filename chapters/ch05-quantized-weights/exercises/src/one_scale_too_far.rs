//! A product of rows of Q8_0, with a fault
//!
//! The product of a weight in Q8_0 with one row of x, as this chapter defines it. The weight has rows of `d.len()` blocks, one
//! row after the other. A block is 34 bytes: its scale s, a 16-bit float, and 32 signed integers. The row of x is rounded
//! already: its block b has the integers q[32 * b] to q[32 * b + 31] and the scale d[b].
//!
//! An output is defined to the bit. It begins with 0.0, and for each block of the weight's row, in order:
//!
//! - isum is the sum of the 32 products of integers, an exact `i32`.
//! - out = fma(s * d, isum as f32, out), where s * d is one product in `f32`.
//!
//! A row has at least one block, and each output depends on the blocks of its own row only. Scales may be anything, NaN too.
//!
//! This function reads the scales of two blocks before their integers, so that they are there in time. It compiles, and
//! it is right for every weight of Qwen3-0.6B. Find its fault, and mend it.
//!
//! Level: core, about 20 minutes.
//! Read: "One request for each block", in the book at ch05/ahead.html.
//! Run: `cargo run -- watch one_scale_too_far`, or once: `cargo test -p ch05-exercises one_scale_too_far`.
//! Stuck: `cargo run -- hint one_scale_too_far`. Done: `cargo run -- solution one_scale_too_far`. Start over: `cargo run -- reset one_scale_too_far`.

use exercise_kit::f16_to_f32;

/// A scale of 16 bits and 32 integers.
type Block = [u8; 34];

// weight: [rows, blocks * 34], q: [blocks * 32], d: [blocks] -> [rows]
pub fn product(weight: &[u8], q: &[i8], d: &[f32]) -> Vec<f32> {
    let (blocks, q) = (weight.as_chunks().0, q.as_chunks::<32>().0);
    let mut scales = blocks.iter().map(scale);
    let output = |row: &[Block]| {
        let mut out = 0.0f32;
        for first in (0..row.len()).step_by(2) {
            let ahead = [scales.next().unwrap_or(0.0), scales.next().unwrap_or(0.0)];
            // The last step of a row may have one block only.
            for (block, s) in (first..row.len()).zip(ahead) {
                let isum = isum(&row[block], &q[block]) as f32;
                out = (s * d[block]).mul_add(isum, out);
            }
        }
        out
    };
    blocks.chunks_exact(d.len()).map(output).collect()
}

fn scale(block: &Block) -> f32 {
    f16_to_f32(u16::from_le_bytes([block[0], block[1]]))
}

fn isum(block: &Block, q: &[i8; 32]) -> i32 {
    block[2..].iter().zip(q).map(|(w, q)| i32::from(*w as i8) * i32::from(*q)).sum()
}

// The test. It stays here.
exercise_kit::exercise!(check(product) in "../../../../tests/exercises/answers/ch05/one_scale_too_far.rs");
