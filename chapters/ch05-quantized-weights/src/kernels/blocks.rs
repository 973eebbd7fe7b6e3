use half::f16;

use super::packed::Block;
use super::rounded::Group;
use crate::simd::Simd;

/// A scale, then 32 integers of eight bits.
pub type Q8_0 = [u8; 34];

impl Block for Q8_0 {
    const GROUPS: usize = 1;

    #[inline(always)]
    fn add<S: Simd, const M: usize>(
        simd: S,
        blocks: [&Q8_0; 16],
        x: [&[Group]; M],
        sums: &mut [S::Lanes; M],
    ) {
        let scales = f16_at(simd, blocks, 0);
        let weight = simd.load_rows(bytes_at(blocks, 2));
        for m in 0..M {
            let x = &x[m][0];
            let [a, b] = simd.dots(weight, &x.ints);
            let scale = simd.multiply(scales, simd.load(&[x.scale; 16]));
            sums[m] = simd.mul_add(scale, simd.to_f32(simd.add_ints(a, b), 0), sums[m]);
        }
    }
}

/// A scale, then 32 integers of four bits.
pub type Q4_0 = [u8; 18];

impl Block for Q4_0 {
    const GROUPS: usize = 1;

    #[inline(always)]
    fn add<S: Simd, const M: usize>(
        simd: S,
        blocks: [&Q4_0; 16],
        x: [&[Group]; M],
        sums: &mut [S::Lanes; M],
    ) {
        let scales = f16_at(simd, blocks, 0);
        let weight = simd.load_halves(bytes_at(blocks, 2));
        for m in 0..M {
            let x = &x[m][0];
            let [a, b] = simd.dots_from_zero(weight, &x.ints);
            let scale = simd.multiply(scales, simd.load(&[x.scale; 16]));
            let offset = 8 * (x.sums[0] + x.sums[1]);
            sums[m] = simd.mul_add(scale, simd.to_f32(simd.add_ints(a, b), offset), sums[m]);
        }
    }
}

/// A header, then 256 integers of four bits.
pub type Q4K = [u8; 144];

impl Block for Q4K {
    const GROUPS: usize = 8;

    #[inline(always)]
    fn add<S: Simd, const M: usize>(
        simd: S,
        blocks: [&Q4K; 16],
        x: [&[Group]; M],
        sums: &mut [S::Lanes; M],
    ) {
        let header = Header::new(simd, bytes_at(blocks, 0));
        for group in 0..8 {
            let bytes = simd.load_rows(bytes_at(blocks, 16 + group / 2 * 32));
            let weight = simd.bits(bytes, group % 2 * 4, 15);
            header.add(simd, group, weight, x, sums);
        }
    }
}

/// A header, the fifth bits of 256 integers, then their other four.
pub type Q5K = [u8; 176];

impl Block for Q5K {
    const GROUPS: usize = 8;

    #[inline(always)]
    fn add<S: Simd, const M: usize>(
        simd: S,
        blocks: [&Q5K; 16],
        x: [&[Group]; M],
        sums: &mut [S::Lanes; M],
    ) {
        let header = Header::new(simd, bytes_at(blocks, 0));
        for group in 0..8 {
            let low = simd.load_rows(bytes_at(blocks, 48 + group / 2 * 32));
            let high = simd.load_rows(bytes_at(blocks, 16));
            let low = simd.bits(low, group % 2 * 4, 15);
            let weight = simd.join(low, simd.bits(high, group, 1));
            header.add(simd, group, weight, x, sums);
        }
    }
}

/// The scales and minima of eight groups of sixteen rows, one row in each lane.
struct Header<S: Simd> {
    scales: [S::Lanes; 8],
    minima: [S::Lanes; 8],
}

impl<S: Simd> Header<S> {
    /// Scale of scales and scale of minima, then eight scales and eight minima of six bits in twelve bytes.
    #[inline(always)]
    fn new(simd: S, headers: [&[u8; 16]; 16]) -> Header<S> {
        let bytes = simd.transpose(headers); // [byte of the header, row]
        let mut halves = [[f16::ZERO; 16]; 2];
        for row in 0..16 {
            halves[0][row] = f16::from_le_bytes([bytes[0][row], bytes[1][row]]);
            halves[1][row] = f16::from_le_bytes([bytes[2][row], bytes[3][row]]);
        }
        let (scale, minimum) = (simd.load_f16(&halves[0]), simd.load_f16(&halves[1]));
        let mut header = Header { scales: [scale; 8], minima: [minimum; 8] };
        let packed = &bytes[4..];
        for group in 0..8 {
            let (mut ints, mut least) = ([0.0; 16], [0.0; 16]);
            for row in 0..16 {
                let (a, b) = if group < 4 {
                    (packed[group][row] & 63, packed[group + 4][row] & 63)
                } else {
                    let low = packed[group + 4][row];
                    let a = low & 15 | packed[group - 4][row] >> 6 << 4;
                    (a, low >> 4 | packed[group][row] >> 6 << 4)
                };
                ints[row] = f32::from(a);
                least[row] = f32::from(b);
            }
            header.scales[group] = simd.multiply(scale, simd.load(&ints));
            header.minima[group] = simd.multiply(minimum, simd.load(&least));
        }
        header
    }

    #[inline(always)]
    fn add<const M: usize>(
        &self,
        simd: S,
        group: usize,
        weight: S::Rows,
        x: [&[Group]; M],
        sums: &mut [S::Lanes; M],
    ) {
        for m in 0..M {
            let x = &x[m][group];
            let [a, b] = simd.dots_from_zero(weight, &x.ints);
            let scale = simd.multiply(self.scales[group], simd.load(&[x.scale; 16]));
            sums[m] = simd.mul_add(scale, simd.to_f32(simd.add_ints(a, b), 0), sums[m]);
            let all = x.scale * (x.sums[0] + x.sums[1]) as f32;
            sums[m] = simd.mul_add(self.minima[group], simd.load(&[-all; 16]), sums[m]);
        }
    }
}

/// Low four bits of 256 integers, their high two bits, sixteen scales of eight bits, a scale of scales.
pub type Q6K = [u8; 210];

impl Block for Q6K {
    const GROUPS: usize = 8;

    #[inline(always)]
    fn add<S: Simd, const M: usize>(
        simd: S,
        blocks: [&Q6K; 16],
        x: [&[Group]; M],
        sums: &mut [S::Lanes; M],
    ) {
        let scale = f16_at(simd, blocks, 208);
        let bytes = simd.transpose(bytes_at(blocks, 192)); // [scale, row]
        let mut scales = [scale; 16];
        for (scales, bytes) in scales.iter_mut().zip(bytes) {
            let mut ints = [0.0; 16];
            for row in 0..16 {
                ints[row] = f32::from(bytes[row] as i8);
            }
            *scales = simd.multiply(scale, simd.load(&ints));
        }
        for group in 0..8 {
            let (half, quarter) = (group / 4, group % 4);
            let low = simd.load_rows(bytes_at(blocks, half * 64 + quarter % 2 * 32));
            let high = simd.load_rows(bytes_at(blocks, 128 + half * 32));
            let low = simd.bits(low, quarter / 2 * 4, 15);
            let weight = simd.join(low, simd.bits(high, quarter * 2, 3));
            for m in 0..M {
                let x = &x[m][group];
                let ints = simd.dots_from_zero(weight, &x.ints);
                for part in 0..2 {
                    let ints = simd.to_f32(ints[part], 32 * x.sums[part]);
                    let scale =
                        simd.multiply(scales[2 * group + part], simd.load(&[x.scale; 16]));
                    sums[m] = simd.mul_add(scale, ints, sums[m]);
                }
            }
        }
    }
}

/// A number of each block, one in each lane.
#[inline(always)]
fn f16_at<S: Simd, const BYTES: usize>(
    simd: S,
    blocks: [&[u8; BYTES]; 16],
    at: usize,
) -> S::Lanes {
    let mut halves = [f16::ZERO; 16];
    for (half, bytes) in halves.iter_mut().zip(bytes_at(blocks, at)) {
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
