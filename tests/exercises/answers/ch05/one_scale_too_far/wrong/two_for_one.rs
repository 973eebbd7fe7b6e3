//? recognised: two scales for each block
//? why: Takes steps of one block and leaves the two calls of `next`. Every second scale is dropped.

use exercise_kit::f16_to_f32;

type Block = [u8; 34];

pub fn product(weight: &[u8], q: &[i8], d: &[f32]) -> Vec<f32> {
    let (blocks, q) = (weight.as_chunks().0, q.as_chunks::<32>().0);
    let mut scales = blocks.iter().map(scale);
    let output = |row: &[Block]| {
        let mut out = 0.0f32;
        for first in 0..row.len() {
            let ahead = [scales.next().unwrap_or(0.0), scales.next().unwrap_or(0.0)];
            let isum = isum(&row[first], &q[first]) as f32;
            out = (ahead[0] * d[first]).mul_add(isum, out);
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
