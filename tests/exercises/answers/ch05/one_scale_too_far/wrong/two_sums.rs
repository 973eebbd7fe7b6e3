//? recognised: two sums
//? why: Keeps a sum for the first block of each step and one for the second, and adds them at the end. Faster, perhaps; and other bits.

use exercise_kit::f16_to_f32;

type Block = [u8; 34];

pub fn product(weight: &[u8], q: &[i8], d: &[f32]) -> Vec<f32> {
    let (blocks, q) = (weight.as_chunks().0, q.as_chunks::<32>().0);
    let output = |row: &[Block]| {
        let mut scales = row.iter().map(scale);
        let mut outs = [0.0f32; 2];
        for first in (0..row.len()).step_by(2) {
            let ahead = [scales.next().unwrap_or(0.0), scales.next().unwrap_or(0.0)];
            for (i, s) in ahead.into_iter().enumerate().take(row.len() - first) {
                let isum = isum(&row[first + i], &q[first + i]) as f32;
                outs[i] = (s * d[first + i]).mul_add(isum, outs[i]);
            }
        }
        outs[0] + outs[1]
    };
    blocks.chunks_exact(d.len()).map(output).collect()
}

fn scale(block: &Block) -> f32 {
    f16_to_f32(u16::from_le_bytes([block[0], block[1]]))
}

fn isum(block: &Block, q: &[i8; 32]) -> i32 {
    block[2..].iter().zip(q).map(|(w, q)| i32::from(*w as i8) * i32::from(*q)).sum()
}
