//! Rounding to the K types: blocks of 256 numbers, whose scales are integers as well.
//!
//! Scales and minima are rounded up. So the steps of a group reach all its numbers, and none of
//! them is more than half a step away from what is stored for it.

use std::array::from_fn;

use half::f16;

/// Two groups of 32 share 32 bytes: one has the low halves, the other the high halves.
pub fn round_q4_k(block: &[f32; 256]) -> [u8; 144] {
    let (header, integers) = round_groups(block, 15);
    let mut out = [0; 144];
    out[..16].copy_from_slice(&header);
    for (i, integer) in integers.iter().enumerate() {
        out[16 + i / 64 * 32 + i % 32] |= integer << (i / 32 % 2 * 4);
    }
    out
}

/// As `Q4_K`, and the fifth bits of group `g` are bit `g` of the 32 bytes before.
pub fn round_q5_k(block: &[f32; 256]) -> [u8; 176] {
    let (header, integers) = round_groups(block, 31);
    let mut out = [0; 176];
    out[..16].copy_from_slice(&header);
    for (i, integer) in integers.iter().enumerate() {
        out[16 + i % 32] |= (integer >> 4) << (i / 32);
        out[48 + i / 64 * 32 + i % 32] |= (integer & 15) << (i / 32 % 2 * 4);
    }
    out
}

/// Sixteen groups of 16 have a scale each and no minimum: integers from -31 to 31.
pub fn round_q6_k(block: &[f32; 256]) -> [u8; 210] {
    let groups = block.as_chunks::<16>().0;
    let exact: [f32; 16] = from_fn(|group| {
        groups[group].iter().fold(0.0f32, |largest, x| largest.max(x.abs())) / 31.0
    });
    let (unit, scales) = round_up(exact, 127.0);
    let mut out = [0; 210];
    for (group, (numbers, scale)) in groups.iter().zip(scales).enumerate() {
        out[192 + group] = scale as u8;
        let inverse = inverse(unit.to_f32() * scale);
        for (at, x) in numbers.iter().enumerate() {
            let integer = ((x * inverse + 32.5) as u8).min(63);
            // Each half of 128 numbers is four rows of 32.
            let i = group * 16 + at;
            let (half, row, column) = (i / 128, i / 32 % 4, i % 32);
            out[half * 64 + row % 2 * 32 + column] |= (integer & 15) << (row / 2 * 4);
            out[128 + half * 32 + column] |= (integer >> 4) << (row * 2);
        }
    }
    out[208..].copy_from_slice(&unit.to_le_bytes());
    out
}

/// Eight groups of 32: a number is `scale * integer - minimum`, with integers from 0 to `top`.
/// The first 16 bytes of the block, and the integers.
fn round_groups(block: &[f32; 256], top: u8) -> ([u8; 16], [u8; 256]) {
    let groups = block.as_chunks::<32>().0;
    // A minimum has no sign: a group above zero begins at zero.
    let lowest: [f32; 8] =
        from_fn(|group| -groups[group].iter().fold(0.0f32, |low, x| low.min(*x)));
    let (unit_of_minima, minima) = round_up(lowest, 63.0);
    let minimum: [f32; 8] = from_fn(|group| unit_of_minima.to_f32() * minima[group]);
    let exact: [f32; 8] = from_fn(|group| {
        let highest = groups[group].iter().fold(f32::MIN, |high, x| high.max(*x));
        (highest + minimum[group]).max(0.0) / f32::from(top)
    });
    let (unit, scales) = round_up(exact, 63.0);
    let inverses = scales.map(|scale| inverse(unit.to_f32() * scale));

    let mut integers = [0; 256];
    for (i, integer) in integers.iter_mut().enumerate() {
        let steps = (block[i] + minimum[i / 32]) * inverses[i / 32];
        *integer = ((steps + 0.5) as u8).min(top);
    }
    let mut header = [0; 16];
    header[..2].copy_from_slice(&unit.to_le_bytes());
    header[2..4].copy_from_slice(&unit_of_minima.to_le_bytes());
    header[4..].copy_from_slice(&pack(scales, minima));
    (header, integers)
}

/// Eight scales and eight minima of six bits each. The first four of each have a byte, and in
/// its upper two bits those of the last four; the lower four bits of these are in bytes 8 to 11.
fn pack(scales: [f32; 8], minima: [f32; 8]) -> [u8; 12] {
    let (scales, minima) =
        (scales.map(|scale| scale as u8), minima.map(|minimum| minimum as u8));
    let mut out = [0; 12];
    for i in 0..4 {
        out[i] = scales[i] | scales[i + 4] >> 4 << 6;
        out[i + 4] = minima[i] | minima[i + 4] >> 4 << 6;
        out[i + 8] = scales[i + 4] & 15 | (minima[i + 4] & 15) << 4;
    }
    out
}

/// Numbers that are not negative as integers up to `top` times one unit, none of them smaller
/// than it was.
fn round_up<const N: usize>(exact: [f32; N], top: f32) -> (f16, [f32; N]) {
    let unit = f16_above(exact.iter().fold(0.0f32, |largest, x| largest.max(*x)) / top);
    let inverse = inverse(unit.to_f32());
    (unit, exact.map(|x| (x * inverse).ceil().min(top)))
}

/// The smallest half-precision number that is not below `x`, or the largest that there is.
fn f16_above(x: f32) -> f16 {
    let near = f16::from_f32(x);
    let above = if near.to_f32() < x { f16::from_bits(near.to_bits() + 1) } else { near };
    if above.is_finite() { above } else { f16::MAX }
}

/// 1 / `scale`; 0 where all that it scales is zero.
fn inverse(scale: f32) -> f32 {
    if scale == 0.0 { 0.0 } else { 1.0 / scale }
}

#[cfg(test)]
mod tests {
    use ground::dtype::StoredType::{self, Q4_K, Q5_K, Q6_K};
    use ground::random::SplitMix64;

    use super::super::stored::round;
    use super::*;

    /// Numbers from -1 to 1, the same ones every time.
    fn noise(seed: u64) -> [f32; 256] {
        let mut random = SplitMix64::new(seed);
        from_fn(|_| random.fraction() as f32 * 2.0 - 1.0)
    }

    fn there_and_back(stored: StoredType, block: &[f32; 256]) -> [f32; 256] {
        let mut bytes = Vec::new();
        round(stored, block, &mut bytes);
        let mut numbers = [f32::NAN; 256];
        stored.widen(&bytes, &mut numbers);
        numbers
    }

    /// Half a step of each group of 32: what its range asks for, and at most one unit more for
    /// each of the two integers that are rounded up.
    fn half_steps(stored: StoredType, block: &[f32; 256]) -> [f32; 8] {
        let low = |numbers: &[f32]| numbers.iter().fold(0.0f32, |most, x| most.max(-x));
        let high = |numbers: &[f32]| numbers.iter().fold(0.0f32, |most, x| most.max(*x));
        let largest = |numbers: &[f32]| low(numbers).max(high(numbers));
        let smallest = f16::MIN_POSITIVE_SUBNORMAL.to_f32();
        let unit = |largest: f32, top: f32| largest / top * 1.001 + smallest;
        let groups = block.as_chunks::<32>().0;
        let (exact, top, more): (Vec<f32>, f32, f32) = match stored {
            Q6_K => (groups.iter().map(|g| largest(g) / 31.0).collect(), 127.0, 0.0),
            _ => {
                let steps = if stored == Q4_K { 15.0 } else { 31.0 };
                let range = |group: &[f32; 32]| (low(group) + high(group)) / steps;
                (groups.iter().map(range).collect(), 63.0, unit(low(block), 63.0) / steps)
            }
        };
        let unit = unit(high(&exact) + more, top);
        from_fn(|group| (exact[group] + more + unit) / 2.0)
    }

    #[test]
    fn every_number_is_within_half_a_step() {
        let mut blocks: Vec<[f32; 256]> = (0..50).map(noise).collect();
        // Groups of different sizes, and around different middles.
        blocks.extend((50..100).map(|seed| {
            let block = noise(seed);
            from_fn(|i| (block[i] + (i / 32) as f32 - 3.0) * 0.125f32.powi(i as i32 / 16 % 4))
        }));
        // Large ones, small ones, and some so small that half precision has no scale for them.
        for size in [1e6, 1e-3, 1e-6, 1e-10, 1e-38] {
            blocks.extend((100..110).map(|seed| noise(seed).map(|x| x * size)));
        }
        // One number alone, of either sign, at the ends of block and groups.
        for (at, x) in [(0, 1.0), (0, -1.0), (15, 3.0), (128, -7.5), (255, 1.0), (255, -1.0)] {
            let mut block = [0.0; 256];
            block[at] = x;
            blocks.push(block);
        }
        // All equal.
        blocks.extend([0.0, -0.0, 1.0, -1.0, 0.3, -0.3, 1e-7, 3e4, -3e4].map(|x| [x; 256]));

        for stored in [Q4_K, Q5_K, Q6_K] {
            for block in &blocks {
                let (found, allowed) =
                    (there_and_back(stored, block), half_steps(stored, block));
                for (i, (found, x)) in found.iter().zip(block).enumerate() {
                    // And what the arithmetic itself rounds.
                    let allowed = allowed[i / 32] * 1.0001 + x.abs() * 1e-6;
                    let name = stored.name();
                    assert!((found - x).abs() <= allowed, "{name}: {found} at {i} for {x}");
                }
            }
        }
    }

    #[test]
    fn zeros_stay_zeros() {
        for stored in [Q4_K, Q5_K, Q6_K] {
            assert_eq!(there_and_back(stored, &[0.0; 256]), [0.0; 256], "{}", stored.name());
        }
    }

    #[test]
    fn a_group_is_as_exact_as_its_bits_allow() {
        // Numbers that are spread evenly over a range of 2 miss the nearest of `steps` steps by
        // this much. A rounding that loses a bit or wastes half of its steps misses by twice it.
        for (stored, steps) in [(Q4_K, 15.0), (Q5_K, 31.0), (Q6_K, 62.0)] {
            let ideal = 2.0 / steps / 12f32.sqrt();
            let mut squares = 0.0;
            for seed in 0..100 {
                let block = noise(seed);
                let found = there_and_back(stored, &block);
                squares += found.iter().zip(block).map(|(a, b)| (a - b).powi(2)).sum::<f32>();
            }
            let wrong = (squares / 25_600.0).sqrt();
            assert!(wrong < 1.03 * ideal, "{}: {wrong}, not {ideal}", stored.name());
        }
    }
}
