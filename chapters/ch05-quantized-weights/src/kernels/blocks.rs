use std::array::from_fn;

use half::f16;

use super::packed::Block;
use super::rounded::Group;
use crate::simd::Simd;

/// A scale, then 32 integers of eight bits.
pub type Q8_0 = [u8; 34];

impl Block for Q8_0 {
    const STEPS: usize = 1;
    const GROUPS: usize = 1;
    type Scales<S: Simd> = S::Lanes;

    #[inline(always)]
    fn scales<S: Simd>(simd: S, blocks: [&Q8_0; 16]) -> S::Lanes {
        f16_of(simd, bytes_at(blocks, 0))
    }

    #[inline(always)]
    fn add<S: Simd, const M: usize>(
        simd: S,
        blocks: [&Q8_0; 16],
        scales: &S::Lanes,
        _: usize,
        x: [&[Group]; M],
        sums: &mut [S::Lanes; M],
    ) {
        let (a, b) =
            (simd.load_rows(bytes_at(blocks, 2)), simd.load_rows(bytes_at(blocks, 18)));
        for (x, sum) in x.into_iter().zip(sums) {
            let x = &x[0];
            let fours = simd.dot(b, &x.ints[1], simd.dot(a, &x.ints[0], simd.no_fours()));
            let scale = simd.multiply(*scales, simd.load(&[x.scale; 16]));
            *sum = simd.mul_add(scale, simd.to_f32(simd.total(fours), 0), *sum);
        }
    }
}

/// A scale, then 32 integers of four bits: the low halves of all bytes, then the high ones.
pub type Q4_0 = [u8; 18];

impl Block for Q4_0 {
    const STEPS: usize = 1;
    const GROUPS: usize = 1;
    type Scales<S: Simd> = S::Lanes;

    #[inline(always)]
    fn scales<S: Simd>(simd: S, blocks: [&Q4_0; 16]) -> S::Lanes {
        f16_of(simd, bytes_at(blocks, 0))
    }

    #[inline(always)]
    fn add<S: Simd, const M: usize>(
        simd: S,
        blocks: [&Q4_0; 16],
        scales: &S::Lanes,
        _: usize,
        x: [&[Group]; M],
        sums: &mut [S::Lanes; M],
    ) {
        let bytes = simd.load_rows(bytes_at(blocks, 2));
        let weight = [simd.bits(bytes, 0, 15), simd.bits(bytes, 4, 15)];
        for (x, sum) in x.into_iter().zip(sums) {
            let x = &x[0];
            let scale = simd.multiply(*scales, simd.load(&[x.scale; 16]));
            // What is stored is 8 too much.
            let ints = simd.to_f32(dots(simd, weight, x), 8 * (x.sums[0] + x.sums[1]));
            *sum = simd.mul_add(scale, ints, *sum);
        }
    }
}

/// A header, then 256 integers of four bits. Two groups of 32 share 32 bytes: one has the low halves, the
/// other the high ones.
pub type Q4K = [u8; 144];

impl Block for Q4K {
    const STEPS: usize = 4;
    const GROUPS: usize = 2;
    type Scales<S: Simd> = [[S::Lanes; 8]; 2];

    #[inline(always)]
    fn scales<S: Simd>(simd: S, blocks: [&Q4K; 16]) -> [[S::Lanes; 8]; 2] {
        scales_and_minima(simd, bytes_at(blocks, 0))
    }

    #[inline(always)]
    fn add<S: Simd, const M: usize>(
        simd: S,
        blocks: [&Q4K; 16],
        scales: &[[S::Lanes; 8]; 2],
        step: usize,
        x: [&[Group]; M],
        sums: &mut [S::Lanes; M],
    ) {
        let a = simd.load_rows(bytes_at(blocks, 16 + 32 * step));
        let b = simd.load_rows(bytes_at(blocks, 32 + 32 * step));
        for half in 0..2 {
            let weight = [simd.bits(a, 4 * half, 15), simd.bits(b, 4 * half, 15)];
            let x = from_fn(|m| &x[m][half]);
            add_with_minima(simd, weight, scales, 2 * step + half, x, sums);
        }
    }
}

/// A header, a fifth bit of 256 integers, then the other four as in `Q4K`.
pub type Q5K = [u8; 176];

impl Block for Q5K {
    const STEPS: usize = 4;
    const GROUPS: usize = 2;
    type Scales<S: Simd> = [[S::Lanes; 8]; 2];

    #[inline(always)]
    fn scales<S: Simd>(simd: S, blocks: [&Q5K; 16]) -> [[S::Lanes; 8]; 2] {
        scales_and_minima(simd, bytes_at(blocks, 0))
    }

    #[inline(always)]
    fn add<S: Simd, const M: usize>(
        simd: S,
        blocks: [&Q5K; 16],
        scales: &[[S::Lanes; 8]; 2],
        step: usize,
        x: [&[Group]; M],
        sums: &mut [S::Lanes; M],
    ) {
        let a = simd.load_rows(bytes_at(blocks, 48 + 32 * step));
        let b = simd.load_rows(bytes_at(blocks, 64 + 32 * step));
        let fifth_a = simd.load_rows(bytes_at(blocks, 16));
        let fifth_b = simd.load_rows(bytes_at(blocks, 32));
        for half in 0..2 {
            let group = 2 * step + half;
            let weight = [
                simd.join(simd.bits(a, 4 * half, 15), simd.bits(fifth_a, group, 1)),
                simd.join(simd.bits(b, 4 * half, 15), simd.bits(fifth_b, group, 1)),
            ];
            let x = from_fn(|m| &x[m][half]);
            add_with_minima(simd, weight, scales, group, x, sums);
        }
    }
}

/// Low four bits of 256 integers, their high two bits, sixteen scales of eight bits, a scale of scales.
pub type Q6K = [u8; 210];

impl Block for Q6K {
    const STEPS: usize = 2;
    const GROUPS: usize = 4;
    type Scales<S: Simd> = [S::Lanes; 16];

    #[inline(always)]
    fn scales<S: Simd>(simd: S, blocks: [&Q6K; 16]) -> [S::Lanes; 16] {
        let scale = f16_of(simd, bytes_at(blocks, 208));
        let bytes = simd.transpose(bytes_at(blocks, 192)); // [scale, row]
        let mut scales = [scale; 16];
        for (scales, bytes) in scales.iter_mut().zip(bytes) {
            *scales = simd.multiply(scale, simd.load(&bytes.map(|byte| f32::from(byte as i8))));
        }
        scales
    }

    #[inline(always)]
    fn add<S: Simd, const M: usize>(
        simd: S,
        blocks: [&Q6K; 16],
        scales: &[S::Lanes; 16],
        step: usize,
        x: [&[Group]; M],
        sums: &mut [S::Lanes; M],
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
                for (x, sum) in x.into_iter().zip(&mut *sums) {
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
}

/// The header of `Q4K` and `Q5K`: a scale of scales, a scale of minima, then eight scales and eight minima of six bits in twelve bytes.
#[inline(always)]
fn scales_and_minima<S: Simd>(simd: S, headers: [&[u8; 16]; 16]) -> [[S::Lanes; 8]; 2] {
    let bytes = simd.transpose(headers); // [byte of the header, row]
    let mut lanes = [[simd.load(&[0.0; 16]); 8]; 2];
    for kind in 0..2 {
        let mut halves = [f16::ZERO; 16];
        for row in 0..16 {
            halves[row] = f16::from_le_bytes([bytes[2 * kind][row], bytes[2 * kind + 1][row]]);
        }
        let of_all = simd.load_f16(&halves);
        for group in 0..4 {
            // The first four fill the low six bits of a byte. The last four have their low four bits
            // together, scale and minimum in one byte, and their high bits above those of the first.
            let (mut first, mut last) = ([0.0; 16], [0.0; 16]);
            for row in 0..16 {
                let (whole, low) = (bytes[4 + 4 * kind + group][row], bytes[12 + group][row]);
                first[row] = f32::from(whole & 63);
                last[row] = f32::from(low >> (4 * kind) & 15 | whole >> 6 << 4);
            }
            lanes[kind][group] = simd.multiply(of_all, simd.load(&first));
            lanes[kind][group + 4] = simd.multiply(of_all, simd.load(&last));
        }
    }
    lanes
}

#[inline(always)]
fn add_with_minima<S: Simd, const M: usize>(
    simd: S,
    weight: [S::Rows; 2],
    [scales, minima]: &[[S::Lanes; 8]; 2],
    group: usize,
    x: [&Group; M],
    sums: &mut [S::Lanes; M],
) {
    for (x, sum) in x.into_iter().zip(sums) {
        let scale = simd.multiply(scales[group], simd.load(&[x.scale; 16]));
        *sum = simd.mul_add(scale, simd.to_f32(dots(simd, weight, x), 0), *sum);
        // The minimum is taken away once for each integer of x.
        let times = x.scale * (x.sums[0] + x.sums[1]) as f32;
        *sum = simd.mul_add(minima[group], simd.load(&[-times; 16]), *sum);
    }
}

/// A group of x with both halves of rows that have no negative numbers.
#[inline(always)]
fn dots<S: Simd>(simd: S, [a, b]: [S::Rows; 2], x: &Group) -> S::Ints {
    let fours = simd.dot_from_zero(a, &x.ints[0], simd.no_fours());
    simd.total(simd.dot_from_zero(b, &x.ints[1], fours))
}

/// A number of each row.
#[inline(always)]
fn f16_of<S: Simd>(simd: S, bytes: [&[u8; 2]; 16]) -> S::Lanes {
    let mut halves = [f16::ZERO; 16];
    for (half, bytes) in halves.iter_mut().zip(bytes) {
        *half = f16::from_le_bytes(*bytes);
    }
    simd.load_f16(&halves)
}

/// Some bytes of each block.
#[inline(always)]
fn bytes_at<const BYTES: usize, const N: usize>(
    blocks: [&[u8; BYTES]; 16],
    at: usize,
) -> [&[u8; N]; 16] {
    let mut bytes = [&[0; N]; 16];
    for (bytes, block) in bytes.iter_mut().zip(blocks) {
        *bytes = block[at..].first_chunk().expect("bytes within the block");
    }
    bytes
}
