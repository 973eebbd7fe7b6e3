//? title: A product of rows of Q8_0, with a fault
//? page: ch05/ahead.md
//? section: One request for each block
//? level: core
//? minutes: 20
//? call: check(answer::product)
//? hint 1: Which numbers of blocks does the check name, and which row is the first that is wrong? Rows of two or four blocks are right, and so is row 0.
//? hint 2: Count the calls of `scales.next()` in a row of three blocks. Whose scale is the last one, and which scale does row 1 begin with?
//? hint 3: A row must not take a scale of the next one. Give each row an iterator of its own: `let mut scales = row.iter().map(scale);` inside of the closure. At the end of the row it returns `None`, also when there is a next row.
//? why: A row with an odd number of blocks has one block in its last step, and the step takes two scales. The second belongs to the
//?   next row, which then begins one scale too far. The row after it is off by two, and in the last rows the scales run out.
//?   `unwrap_or(0.0)` was meant for the end of a row and hides the end of the weight. An iterator over the row alone ends where
//?   the row ends. Rows of Qwen3-0.6B have 32, 64 or 96 blocks, so no run of that model would show it.

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

use exercise_kit::f16_to_f32;

/// A scale of 16 bits and 32 integers.
type Block = [u8; 34];

// weight: [rows, blocks * 34], q: [blocks * 32], d: [blocks] -> [rows]
pub fn product(weight: &[u8], q: &[i8], d: &[f32]) -> Vec<f32> {
    let (blocks, q) = (weight.as_chunks().0, q.as_chunks::<32>().0);
    //-- starter
    // let mut scales = blocks.iter().map(scale);
    //-- solution
    //-- end
    let output = |row: &[Block]| {
        //-- solution
        let mut scales = row.iter().map(scale);
        //-- end
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
