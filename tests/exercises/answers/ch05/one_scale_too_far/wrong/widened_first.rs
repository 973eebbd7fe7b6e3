//? recognised: isum is an integer
//? why: Widens both sides to floats first, as chapter 4 did. Every product and every addition can round; the integers never did.

use exercise_kit::f16_to_f32;

type Block = [u8; 34];

pub fn product(weight: &[u8], q: &[i8], d: &[f32]) -> Vec<f32> {
    let (blocks, q) = (weight.as_chunks().0, q.as_chunks::<32>().0);
    let output = |row: &[Block]| {
        let mut scales = row.iter().map(scale);
        let mut out = 0.0f32;
        for first in (0..row.len()).step_by(2) {
            let ahead = [scales.next().unwrap_or(0.0), scales.next().unwrap_or(0.0)];
            for (block, s) in (first..row.len()).zip(ahead) {
                for (w, q) in row[block][2..].iter().zip(&q[block]) {
                    out = (s * f32::from(*w as i8)).mul_add(d[block] * f32::from(*q), out);
                }
            }
        }
        out
    };
    blocks.chunks_exact(d.len()).map(output).collect()
}

fn scale(block: &Block) -> f32 {
    f16_to_f32(u16::from_le_bytes([block[0], block[1]]))
}
