use std::array::from_fn;

use ndarray::ArrayViewMut2;

use super::packed_weight::{PackedWeight, SixteenRows};
use super::quant_block::{QuantBlock, write};
use super::rounded::{Group, Rounded};
use crate::simd::Simd;
use crate::simd::Unpacked;

/// How many panels, each of sixteen rows of the weight, stay close to the core while all rows of x pass by.
pub const PANELS: usize = 8;

/// Many rows of x: weights are unpacked once for all of them, and what is loaded serves a whole tile of `M`
/// times `N` times sixteen outputs.
#[inline(always)]
pub fn packed_gemm<S: Simd, W: PackedWeight, const M: usize, const N: usize>(
    simd: S,
    x: &Rounded,
    weight: W,
    mut out: ArrayViewMut2<f32>,
    scratch: &mut [Unpacked],
) {
    let (rows, columns) = out.dim();
    let length = scratch.len() / PANELS; // of a panel, in groups
    if length == 0 {
        return out.fill(0.0);
    }
    for start in (0..columns).step_by(16 * PANELS) {
        let count = (columns - start).div_ceil(16).min(PANELS);
        for (panel, first) in scratch.chunks_mut(length).zip((start..columns).step_by(16)) {
            unpack::<S, W::Block>(simd, weight.sixteen_from(first), panel);
        }
        let panel = |index: usize| &scratch[index * length..][..length];
        // Meanwhile the next panels are fetched, some lines with each group, so that unpacking need not wait for them.
        let bytes = 16 * count * weight.blocks() * size_of::<W::Block>();
        let mut next = weight.bytes(start + 16 * count).chunks(64).take(bytes.div_ceil(64));
        let groups = rows.div_ceil(M) * count.div_ceil(N) * length;
        let lines = next.len().div_ceil(groups);
        for first_row in (0..rows).step_by(M) {
            // Past an edge the last row is taken once more, and its sums have no place to go.
            let x = from_fn(|m| x.row((first_row + m).min(rows - 1)));
            for first in (0..count).step_by(N) {
                let these = from_fn(|n| panel((first + n).min(count - 1)));
                let sums = tile::<S, W::Block, M, N>(
                    simd,
                    x,
                    these,
                    #[inline(always)]
                    || {
                        for _ in 0..lines {
                            if let Some(line) = next.next() {
                                simd.fetch(line, 0)
                            }
                        }
                    },
                );
                for (row, sums) in (first_row..rows).zip(sums) {
                    for (panel, sums) in (first..count).zip(sums) {
                        write(simd, sums, &mut out, row, start + 16 * panel);
                    }
                }
            }
        }
    }
}

/// Unpacks sixteen rows of the weight. panel: [groups]
#[inline(always)]
pub fn unpack<S: Simd, B: QuantBlock>(simd: S, rows: impl SixteenRows, panel: &mut [Unpacked]) {
    for (index, groups) in panel.chunks_exact_mut(B::STEPS * B::GROUPS_PER_STEP).enumerate() {
        let block = rows.block(index);
        rows.fetch(simd, index, 0, 1);
        let scales = B::scales(simd, block);
        B::unpack(simd, block, &scales, groups);
    }
}

/// Sixteen outputs of each of `N` panels, for each of `M` rows of x. `fetch` is called with each group.
#[inline(always)]
pub fn tile<S: Simd, B: QuantBlock, const M: usize, const N: usize>(
    simd: S,
    x: [&[Group]; M],
    panels: [&[Unpacked]; N],
    mut fetch: impl FnMut(),
) -> [[S::Lanes; N]; M] {
    let groups = panels[0].len();
    let x = x.map(|row| &row[..groups]);
    let panels = panels.map(|panel| &panel[..groups]);
    let mut sums = [[simd.load(&[0.0; 16]); N]; M];
    for (group, _) in x[0].iter().enumerate() {
        let x = from_fn(|m| &x[m][group]);
        let weight = from_fn(|n| &panels[n][group]);
        fetch();
        if B::HALVES {
            for half in 0..2 {
                let mut totals = start(simd, x.map(|x| &x.starts[half]));
                add_half(simd, x, weight, half, &mut totals);
                scale(simd, x, weight.map(|weight| &weight.factors[half]), totals, &mut sums);
            }
        } else {
            let mut totals = start(simd, x.map(|x| &x.start));
            add_half(simd, x, weight, 0, &mut totals);
            add_half(simd, x, weight, 1, &mut totals);
            scale(simd, x, weight.map(|weight| &weight.factors[0]), totals, &mut sums);
        }
        if B::MINIMA {
            minima(simd, x, weight.map(|weight| &weight.factors[1]), &mut sums);
        }
    }
    sums
}

/// What the totals of a group begin with. `pack` adds `BIAS` to each weight, so each product is too large
/// by `BIAS` times an integer of x; `starts` is minus the sum of that.
#[inline(always)]
fn start<S: Simd, const M: usize, const N: usize>(
    simd: S,
    starts: [&i32; M],
) -> [[S::Ints; N]; M] {
    let mut totals = [[simd.splat(&0); N]; M];
    if S::BIAS != 0 {
        for m in 0..M {
            totals[m] = [simd.splat(starts[m]); N];
        }
    }
    totals
}

/// The products of sixteen integers.
#[inline(always)]
fn add_half<S: Simd, const M: usize, const N: usize>(
    simd: S,
    x: [&Group; M],
    weight: [&Unpacked; N],
    half: usize,
    totals: &mut [[S::Ints; N]; M],
) {
    for four in 0..4 {
        let mut columns = [simd.load_column(&weight[0].ints[half][four]); N];
        for n in 1..N {
            columns[n] = simd.load_column(&weight[n].ints[half][four]);
        }
        for m in 0..M {
            let x = &x[m].ints[half].as_chunks().0[four];
            for n in 0..N {
                totals[m][n] = simd.add_column(columns[n], x, totals[m][n]);
            }
        }
    }
}

/// Adds the totals, each times the scale of x and that of the weight.
#[inline(always)]
fn scale<S: Simd, const M: usize, const N: usize>(
    simd: S,
    x: [&Group; M],
    scales: [&[f32; 16]; N],
    totals: [[S::Ints; N]; M],
    sums: &mut [[S::Lanes; N]; M],
) {
    for m in 0..M {
        let of_x = simd.load(&[x[m].scale; 16]);
        for n in 0..N {
            let scale = simd.multiply(simd.load(scales[n]), of_x);
            sums[m][n] = simd.mul_add(scale, simd.to_f32(totals[m][n], 0), sums[m][n]);
        }
    }
}

/// Subtracts the minima's share.
#[inline(always)]
fn minima<S: Simd, const M: usize, const N: usize>(
    simd: S,
    x: [&Group; M],
    minima: [&[f32; 16]; N],
    sums: &mut [[S::Lanes; N]; M],
) {
    for m in 0..M {
        let sum = simd.load(&[x[m].minus_sum; 16]);
        for n in 0..N {
            sums[m][n] = simd.mul_add(simd.load(minima[n]), sum, sums[m][n]);
        }
    }
}
