use std::array::from_fn;

use ndarray::{ArrayView2, ArrayViewMut2};

use super::packed::{Block, sixteen_from, write};
use super::panel::{Ints, Panel, Sixteen};
use super::rounded::{Group, Rounded};
use crate::simd::Simd;

/// How many panels stay close to the core while all rows of x pass by.
const PANELS: usize = 8;

/// Many rows of x: weights are unpacked once for all of them, and what is loaded serves a whole tile of `M`
/// times `N` times sixteen outputs.
#[inline(always)]
pub fn panels<S: Simd, B: Block, const M: usize, const N: usize>(
    simd: S,
    x: &Rounded,
    weight: ArrayView2<B>,
    mut out: ArrayViewMut2<f32>,
) {
    let (rows, columns) = out.dim();
    let mut unpacked: [Panel; PANELS] = from_fn(|_| Panel::new::<B>(weight.ncols()));
    for start in (0..columns).step_by(16 * PANELS) {
        let count = (columns - start).div_ceil(16).min(PANELS);
        for (panel, first) in unpacked[..count].iter_mut().zip((start..).step_by(16)) {
            panel.unpack(simd, sixteen_from(weight, first));
        }
        for first_row in (0..rows).step_by(M) {
            // Past an edge the last row is taken once more, and its sums have no place to go.
            let x = from_fn(|m| x.row((first_row + m).min(rows - 1)));
            for first in (0..count).step_by(N) {
                let these = from_fn(|n| &unpacked[(first + n).min(count - 1)]);
                let sums = tile::<S, B, M, N>(simd, x, these);
                for (row, sums) in (first_row..rows).zip(sums) {
                    for (panel, sums) in (first..count).zip(sums) {
                        write(simd, sums, &mut out, row, start + 16 * panel);
                    }
                }
            }
        }
    }
}

/// Sixteen outputs of each of `N` panels, for each of `M` rows of x.
#[inline(always)]
fn tile<S: Simd, B: Block, const M: usize, const N: usize>(
    simd: S,
    x: [&[Group]; M],
    panels: [&Panel; N],
) -> [[S::Lanes; N]; M] {
    let groups = panels[0].ints.len();
    let x = x.map(|row| &row[..groups]);
    let ints = panels.map(|panel| &panel.ints[..groups]);
    let factors = panels.map(|panel| &panel.factors[..groups * B::FACTORS]);
    let mut sums = [[simd.load(&[0.0; 16]); N]; M];
    for (group, _) in x[0].iter().enumerate() {
        let x = from_fn(|m| &x[m][group]);
        let ints = from_fn(|n| &ints[n][group]);
        let factors = from_fn(|n| &factors[n][group * B::FACTORS..][..B::FACTORS]);
        if B::HALVES {
            for half in 0..2 {
                let mut totals = start(simd, x.map(|x| &x.starts[half]));
                add_half(simd, x, ints, half, &mut totals);
                scale(simd, x, factors.map(|factors| &factors[half]), totals, &mut sums);
            }
        } else {
            let mut totals = start(simd, x.map(|x| &x.start));
            add_half(simd, x, ints, 0, &mut totals);
            add_half(simd, x, ints, 1, &mut totals);
            scale(simd, x, factors.map(|factors| &factors[0]), totals, &mut sums);
            if B::FACTORS == 2 {
                minimum(simd, x, factors.map(|factors| &factors[1]), &mut sums);
            }
        }
    }
    sums
}

/// What the totals begin with. Packed integers may be too large by the same number each: it is taken away
/// as often as x has it, before anything is added.
#[inline(always)]
fn start<S: Simd, const M: usize, const N: usize>(
    simd: S,
    starts: [&i32; M],
) -> [[S::Ints; N]; M] {
    let mut totals = [[simd.ints(&0); N]; M];
    if S::LARGER != 0 {
        for m in 0..M {
            totals[m] = [simd.ints(starts[m]); N];
        }
    }
    totals
}

/// The products of sixteen integers.
#[inline(always)]
fn add_half<S: Simd, const M: usize, const N: usize>(
    simd: S,
    x: [&Group; M],
    ints: [&Ints; N],
    half: usize,
    totals: &mut [[S::Ints; N]; M],
) {
    for four in 0..4 {
        let mut columns = [simd.load_column(&ints[0].0[half][four]); N];
        for n in 1..N {
            columns[n] = simd.load_column(&ints[n].0[half][four]);
        }
        for m in 0..M {
            let x = &x[m].ints[half].as_chunks().0[four];
            for n in 0..N {
                totals[m][n] = simd.add_column(columns[n], x, totals[m][n]);
            }
        }
    }
}

/// Each total times both scales.
#[inline(always)]
fn scale<S: Simd, const M: usize, const N: usize>(
    simd: S,
    x: [&Group; M],
    scales: [&Sixteen; N],
    totals: [[S::Ints; N]; M],
    sums: &mut [[S::Lanes; N]; M],
) {
    for m in 0..M {
        let of_x = simd.load(&[x[m].scale; 16]);
        for n in 0..N {
            let scale = simd.multiply(simd.load(&scales[n].0), of_x);
            sums[m][n] = simd.mul_add(scale, simd.to_f32(totals[m][n], 0), sums[m][n]);
        }
    }
}

/// What the minima make, taken away.
#[inline(always)]
fn minimum<S: Simd, const M: usize, const N: usize>(
    simd: S,
    x: [&Group; M],
    minima: [&Sixteen; N],
    sums: &mut [[S::Lanes; N]; M],
) {
    for m in 0..M {
        let sum = simd.load(&[x[m].minus_sum; 16]);
        for n in 0..N {
            sums[m][n] = simd.mul_add(simd.load(&minima[n].0), sum, sums[m][n]);
        }
    }
}
