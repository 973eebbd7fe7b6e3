//? recognised: times 0 is NaN
//? why: Leaves out a block whose `isum` is 0. If its scale is NaN or infinite, the output is NaN.

use exercise_kit::f16_to_f32;

/// A scale of 16 bits and 32 integers.
type Block = [u8; 34];

// weight: [rows, blocks * 34], q: [blocks * 32], d: [blocks] -> [rows]
pub fn product(weight: &[u8], q: &[i8], d: &[f32]) -> Vec<f32> {
    let (blocks, q) = (weight.as_chunks().0, q.as_chunks::<32>().0);
    let output = |row: &[Block]| {
        let mut scales = row.iter().map(scale);
        let mut out = 0.0f32;
        for first in (0..row.len()).step_by(2) {
            let ahead = [scales.next().unwrap_or(0.0), scales.next().unwrap_or(0.0)];
            // The last step of a row may have one block only.
            for (block, s) in (first..row.len()).zip(ahead) {
                let isum = isum(&row[block], &q[block]) as f32;
                if isum == 0.0 {
                    continue;
                }
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
