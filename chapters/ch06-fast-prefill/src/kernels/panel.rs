use std::array::from_fn;

use super::packed::Block;
use super::rounded::Group;
use crate::simd::Simd;

/// Sixteen rows of a weight, unpacked, in the order in which a product of many rows of x takes them.
pub struct Panel {
    groups: Vec<Integers>,
    factors: Vec<Sixteen>, // of a group: its scale, or that of each half, then a minimum
}

/// Thirty-two integers of each row: columns of four, one row after the other.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct Integers(pub [[[u8; 64]; 4]; 2]);

/// One number of each row.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct Sixteen(pub [f32; 16]);

impl Panel {
    pub fn new<B: Block>(blocks: usize) -> Panel {
        let groups = blocks * B::STEPS * B::GROUPS;
        Panel {
            groups: vec![Integers([[[0; 64]; 4]; 2]); groups],
            factors: vec![Sixteen([0.0; 16]); groups * B::FACTORS],
        }
    }

    #[inline(always)]
    pub fn fill<S: Simd, B: Block>(&mut self, simd: S, weight: [&[B]; 16]) {
        let length = weight[0].len();
        let weight = weight.map(|row| &row[..length]);
        let groups = B::STEPS * B::GROUPS;
        let groups = self.groups.chunks_exact_mut(groups);
        let factors = self.factors.chunks_exact_mut(B::STEPS * B::GROUPS * B::FACTORS);
        for (block, (groups, factors)) in groups.zip(factors).enumerate() {
            let blocks = from_fn(|lane| &weight[lane][block]);
            let scales = B::scales(simd, blocks);
            B::unpack(simd, blocks, &scales, groups, factors);
        }
    }
}

/// Sixteen outputs of each of `N` panels, for each of `M` rows of x.
#[inline(always)]
pub fn panels<S: Simd, B: Block, const M: usize, const N: usize>(
    simd: S,
    x: [&[Group]; M],
    panels: [&Panel; N],
) -> [[S::Lanes; N]; M] {
    let count = panels[0].groups.len();
    let x = x.map(|row| &row[..count]);
    let groups = panels.map(|panel| &panel.groups[..count]);
    let factors = panels.map(|panel| &panel.factors[..count * B::FACTORS]);
    let mut sums = [[simd.load(&[0.0; 16]); N]; M];
    for (group, _) in groups[0].iter().enumerate() {
        let x: [&Group; M] = from_fn(|m| &x[m][group]);
        let ints: [&Integers; N] = from_fn(|n| &groups[n][group]);
        let factors: [&[Sixteen]; N] =
            from_fn(|n| &factors[n][group * B::FACTORS..][..B::FACTORS]);
        if B::HALVES {
            for half in 0..2 {
                let mut totals = [[simd.ints(&0); N]; M];
                for m in 0..M {
                    totals[m] = [start(simd, &x[m].starts[half]); N];
                }
                add_half(simd, ints, x, half, &mut totals);
                for m in 0..M {
                    let scale = simd.load(&[x[m].scale; 16]);
                    for n in 0..N {
                        let scale = simd.multiply(simd.load(&factors[n][half].0), scale);
                        let total = simd.to_f32(totals[m][n], 0);
                        sums[m][n] = simd.mul_add(scale, total, sums[m][n]);
                    }
                }
            }
        } else {
            let mut totals = [[simd.ints(&0); N]; M];
            for m in 0..M {
                totals[m] = [start(simd, &x[m].start); N];
            }
            add_half(simd, ints, x, 0, &mut totals);
            add_half(simd, ints, x, 1, &mut totals);
            for m in 0..M {
                let scale = simd.load(&[x[m].scale; 16]);
                for n in 0..N {
                    let scale = simd.multiply(simd.load(&factors[n][0].0), scale);
                    let total = simd.to_f32(totals[m][n], 0);
                    sums[m][n] = simd.mul_add(scale, total, sums[m][n]);
                    if B::FACTORS == 2 {
                        let times = simd.load(&[x[m].minus_sum; 16]);
                        let minimum = simd.load(&factors[n][1].0);
                        sums[m][n] = simd.mul_add(minimum, times, sums[m][n]);
                    }
                }
            }
        }
    }
    sums
}

/// What the sums of a group begin with: packed bytes may be larger than the weights.
#[inline(always)]
fn start<S: Simd>(simd: S, start: &i32) -> S::Ints {
    if S::LARGER == 0 { simd.ints(&0) } else { simd.ints(start) }
}

#[inline(always)]
fn add_half<S: Simd, const M: usize, const N: usize>(
    simd: S,
    panels: [&Integers; N],
    x: [&Group; M],
    half: usize,
    totals: &mut [[S::Ints; N]; M],
) {
    for quarter in 0..4 {
        let mut columns = [simd.load_column(&panels[0].0[half][quarter]); N];
        for n in 1..N {
            columns[n] = simd.load_column(&panels[n].0[half][quarter]);
        }
        for m in 0..M {
            let four = x[m].ints[half].as_chunks::<4>().0[quarter];
            for n in 0..N {
                totals[m][n] = simd.add_column(columns[n], &four, totals[m][n]);
            }
        }
    }
}
