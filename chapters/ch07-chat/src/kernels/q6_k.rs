use super::packed::Block;
use super::rounded::Group;
use super::sixteen::{bytes_at, f16_of};
use super::unpacked::Unpacked;
use crate::simd::Simd;

/// Low four bits of 256 integers, their high two bits, sixteen scales of eight bits, a scale of scales.
pub type Q6K = [u8; 210];

impl Block for Q6K {
    const STEPS: usize = 2;
    const GROUPS: usize = 4;
    const HALVES: bool = true;
    type Scales<S: Simd> = [S::Lanes; 16];

    #[inline(always)]
    fn scales<S: Simd>(simd: S, blocks: [&Q6K; 16]) -> [S::Lanes; 16] {
        let scale = f16_of(simd, bytes_at(blocks, 208));
        let mut bytes = [[0; 16]; 16]; // [scale, row]
        simd.transpose(bytes_at(blocks, 192), &mut bytes);
        let mut scales = [scale; 16];
        for (scales, bytes) in scales.iter_mut().zip(bytes) {
            *scales = simd.multiply(scale, simd.widen(&bytes));
        }
        scales
    }

    #[inline(always)]
    fn unpack<S: Simd>(
        simd: S,
        blocks: [&Q6K; 16],
        scales: &[S::Lanes; 16],
        groups: &mut [Unpacked],
    ) {
        for step in 0..2 {
            for half in 0..2 {
                let low = |at| simd.load_rows(bytes_at(blocks, 64 * step + 16 * half + at));
                let low = [low(0), low(32)];
                let high = simd.load_rows(bytes_at(blocks, 128 + 32 * step + 16 * half));
                for group in 0..4 {
                    let low = simd.bits(low[group % 2], group / 2 * 4, 15);
                    let rows = simd.join(low, simd.bits(high, 2 * group, 3));
                    simd.pack(rows, 32, &mut groups[4 * step + group].ints[half]);
                }
            }
        }
        for (group, to) in groups.iter_mut().enumerate() {
            simd.store(scales[2 * group], &mut to.factors[0]);
            simd.store(scales[2 * group + 1], &mut to.factors[1]);
        }
    }

    #[inline(always)]
    fn add<S: Simd>(
        simd: S,
        blocks: [&Q6K; 16],
        scales: &[S::Lanes; 16],
        step: usize,
        x: &[Group],
        sum: &mut S::Lanes,
    ) {
        let low = |at| simd.load_rows(bytes_at(blocks, 64 * step + at));
        let low = [[low(0), low(16)], [low(32), low(48)]];
        let high = |at| simd.load_rows(bytes_at(blocks, 128 + 32 * step + at));
        let high = [high(0), high(16)];
        for group in 0..4 {
            for half in 0..2 {
                let low = simd.bits(low[group % 2][half], group / 2 * 4, 15);
                let weight = simd.join(low, simd.bits(high[half], 2 * group, 3));
                let scale = scales[8 * step + 2 * group + half];
                let x = &x[group];
                let fours = simd.dot_from_zero(weight, &x.ints[half], simd.no_fours());
                let scale = simd.multiply(scale, simd.load(&[x.scale; 16]));
                // What is stored is 32 too much.
                let ints = simd.to_f32(simd.total(fours), 32 * x.sums[half]);
                *sum = simd.mul_add(scale, ints, *sum);
            }
        }
    }
}
