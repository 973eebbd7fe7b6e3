//! The two products that a model consists of, written once for every instruction set.
//!
//! Every dot product has the same shape: sixteen lanes, each a chain of fused multiply-adds, then a
//! fixed tree of sums. No output depends on how many others are computed beside it.

use std::array::from_fn;

use half::{bf16, f16};
use ndarray::{ArrayView2, ArrayViewMut2};

use crate::matmul::row_of;
use crate::simd::{Job, Simd};

/// A type that weights are stored in and that a register is filled with in one step.
pub trait Number: Copy + Default {
    fn load<S: Simd>(simd: S, numbers: &[Self; 16]) -> S::Lanes;
}

impl Number for f32 {
    #[inline(always)]
    fn load<S: Simd>(simd: S, numbers: &[f32; 16]) -> S::Lanes {
        simd.load(numbers)
    }
}

impl Number for f16 {
    #[inline(always)]
    fn load<S: Simd>(simd: S, numbers: &[f16; 16]) -> S::Lanes {
        simd.load_f16(numbers)
    }
}

impl Number for bf16 {
    #[inline(always)]
    fn load<S: Simd>(simd: S, numbers: &[bf16; 16]) -> S::Lanes {
        simd.load_bf16(numbers)
    }
}

/// What is left of a row after its last whole sixteen, filled up with zeros.
#[inline(always)]
fn padded<W: Number>(tail: &[W]) -> [W; 16] {
    let mut sixteen = [W::default(); 16];
    sixteen[..tail.len()].copy_from_slice(tail);
    sixteen
}

/// The dot products of `M` rows of x with `N` rows of the weight.
/// A row of x is padded to whole sixteens, a row of the weight need not be.
#[inline(always)]
fn tile<S: Simd, W: Number, const M: usize, const N: usize>(
    simd: S,
    x: [&[f32]; M],
    weight: [&[W]; N],
) -> [[f32; N]; M] {
    let inner = weight[0].len();
    let whole = inner / 16;
    let x = x.map(|row| &row.as_chunks::<16>().0[..inner.div_ceil(16)]);
    let sixteens = weight.map(|row| &row.as_chunks::<16>().0[..whole]);

    let mut sums = [[simd.load(&[0.0; 16]); N]; M];
    for i in 0..whole {
        step(simd, &mut sums, x.map(|row| &row[i]), sixteens.map(|row| &row[i]));
    }
    if whole * 16 < inner {
        let tails = weight.map(|row| padded(&row[whole * 16..]));
        step(simd, &mut sums, x.map(|row| &row[whole]), tails.each_ref());
    }
    let mut out = [[0.0; N]; M];
    for m in 0..M {
        for n in 0..N {
            out[m][n] = simd.sum(sums[m][n]);
        }
    }
    out
}

/// The next sixteen places of every dot product.
#[inline(always)]
fn step<S: Simd, W: Number, const M: usize, const N: usize>(
    simd: S,
    sums: &mut [[S::Lanes; N]; M],
    x: [&[f32; 16]; M],
    weight: [&[W; 16]; N],
) {
    let mut lanes = [sums[0][0]; N];
    for n in 0..N {
        lanes[n] = W::load(simd, weight[n]);
    }
    for m in 0..M {
        let x = simd.load(x[m]);
        for n in 0..N {
            sums[m][n] = simd.mul_add(x, lanes[n], sums[m][n]);
        }
    }
}

/// Rows of f32 that lie at multiples of 64 bytes, each padded with zeros to whole sixteens.
struct Aligned {
    numbers: Vec<f32>,
    start: usize,
    width: usize,
}

impl Aligned {
    fn new(rows: usize, columns: usize) -> Aligned {
        let width = columns.next_multiple_of(16);
        let numbers = vec![0.0; rows * width + 15];
        let start = numbers.as_ptr().align_offset(64).min(15);
        Aligned { numbers, start, width }
    }

    #[inline(always)]
    fn row(&self, row: usize) -> &[f32] {
        &self.numbers[self.start + row * self.width..][..self.width]
    }

    #[inline(always)]
    fn set_row<S: Simd, W: Number>(&mut self, simd: S, row: usize, numbers: &[W]) {
        let to = &mut self.numbers[self.start + row * self.width..][..self.width];
        let (sixteens, tail) = numbers.as_chunks::<16>();
        let (to, _) = to.as_chunks_mut::<16>();
        for (to, sixteen) in to.iter_mut().zip(sixteens) {
            simd.store(W::load(simd, sixteen), to);
        }
        if let Some(to) = to.get_mut(sixteens.len()) {
            simd.store(W::load(simd, &padded(tail)), to);
        }
    }
}

/// x times weight transposed. x: [rows, inner], weight: [columns, parts * inner], out: [rows, columns]
pub struct Product<'a, W> {
    pub x: ArrayView2<'a, f32>,
    pub weight: ArrayView2<'a, W>,
    pub parts: usize, // the first serves the first rows of x, and so on, all as many
    pub out: ArrayViewMut2<'a, f32>,
}

impl<W: Number> Job for Product<'_, W> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        if self.weight.is_empty() {
            return;
        }
        let mut x = Aligned::new(self.x.nrows(), self.x.ncols());
        for row in 0..self.x.nrows() {
            x.set_row(simd, row, row_of(self.x, row));
        }
        match (self.parts, self.x.nrows(), S::GROUPS) {
            (1, 2.., 32) => tiles::<S, W, 6, 4>(simd, &x, self.weight, self.out),
            (1, 2.., _) => tiles::<S, W, 3, 2>(simd, &x, self.weight, self.out),
            _ => far_rows::<S, W, 4>(simd, &x, self.weight, self.parts, self.out),
        }
    }
}

/// One row of x, or a few for each part of the weight's rows: all that matters is how fast the
/// weight comes from memory. Rows far from each other wake more of the memory than neighbours do.
#[inline(always)]
fn far_rows<S: Simd, W: Number, const N: usize>(
    simd: S,
    x: &Aligned,
    weight: ArrayView2<W>,
    parts: usize,
    mut out: ArrayViewMut2<f32>,
) {
    let inner = weight.ncols() / parts;
    let rows_per_part = out.nrows() / parts;
    let last = weight.nrows() - 1;
    let distance = weight.nrows().div_ceil(N);
    for first in 0..distance {
        // Past the end the last row is computed again: the same number to the same place.
        let rows: [usize; N] = from_fn(|n| (first + n * distance).min(last));
        for m in 0..out.nrows() {
            let part = |row| &row_of(weight, row)[m / rows_per_part * inner..][..inner];
            let [sums] = tile(simd, [x.row(m)], rows.map(part));
            for (row, sum) in rows.into_iter().zip(sums) {
                out[[m, row]] = sum;
            }
        }
    }
}

/// How many rows of the weight stay close to the core while all rows of x pass by.
const BLOCK: usize = 48;

/// Many rows of x: every number that is loaded serves a whole tile of `M` times `N` outputs.
#[inline(always)]
fn tiles<S: Simd, W: Number, const M: usize, const N: usize>(
    simd: S,
    x: &Aligned,
    weight: ArrayView2<W>,
    mut out: ArrayViewMut2<f32>,
) {
    let mut block = Aligned::new(BLOCK.min(weight.nrows()), weight.ncols());
    for start in (0..weight.nrows()).step_by(BLOCK) {
        let columns = BLOCK.min(weight.nrows() - start);
        for column in 0..columns {
            block.set_row(simd, column, row_of(weight, start + column));
        }
        for first_row in (0..out.nrows()).step_by(M) {
            let rows: [usize; M] = from_fn(|m| (first_row + m).min(out.nrows() - 1));
            let x_rows = rows.map(|row| x.row(row));
            for first_column in (0..columns).step_by(N) {
                let columns: [usize; N] = from_fn(|n| (first_column + n).min(columns - 1));
                let sums = tile(simd, x_rows, columns.map(|column| block.row(column)));
                for (row, sums) in rows.into_iter().zip(sums) {
                    for (column, sum) in columns.into_iter().zip(sums) {
                        out[[row, start + column]] = sum;
                    }
                }
            }
        }
    }
}

/// Adds rows to each row of `out`, from the first on, each times its own weight.
/// weights: a slice for each row of `out`, rows: [rows, parts * width], out: [outputs, width]
pub struct WeightedSums<'a> {
    pub weights: &'a [&'a [f32]],
    pub rows: ArrayView2<'a, f32>,
    pub parts: usize, // the first serves the first rows of `out`, and so on, all as many
    pub out: ArrayViewMut2<'a, f32>,
}

/// How many rows go into all sums before the next ones are read.
const TOGETHER: usize = 8;

impl Job for WeightedSums<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let WeightedSums { weights, rows, parts, mut out } = self;
        let (outputs, width) = out.dim();
        for (turn, start) in (0..rows.nrows()).step_by(TOGETHER).enumerate() {
            for (m, (mut out, weights)) in out.rows_mut().into_iter().zip(weights).enumerate() {
                let Some(weights) = weights.chunks(TOGETHER).nth(turn) else { continue };
                let out = out.as_slice_mut().expect("a row lies in one piece");
                let mut first = m / (outputs / parts) * width;
                let (blocks, rest) = out.as_chunks_mut::<64>();
                for block in blocks {
                    let block = block.as_chunks_mut().0;
                    columns::<S, 4>(simd, weights, rows, start, first, block);
                    first += 64;
                }
                let (sixteens, tail) = rest.as_chunks_mut::<16>();
                for sixteen in sixteens {
                    let sixteen = sixteen.as_chunks_mut().0;
                    columns::<S, 1>(simd, weights, rows, start, first, sixteen);
                    first += 16;
                }
                for (row, &weight) in (start..).zip(weights) {
                    for (out, value) in tail.iter_mut().zip(&row_of(rows, row)[first..]) {
                        *out = weight.mul_add(*value, *out);
                    }
                }
            }
        }
    }
}

/// `N` sixteens of columns stay in registers while the rows of one turn pass by.
#[inline(always)]
fn columns<S: Simd, const N: usize>(
    simd: S,
    weights: &[f32],
    rows: ArrayView2<f32>,
    start: usize,
    first: usize,
    out: &mut [[f32; 16]],
) {
    let mut sums: [S::Lanes; N] = from_fn(|n| simd.load(&out[n]));
    for (row, &weight) in (start..).zip(weights) {
        let (values, _) = row_of(rows, row)[first..].as_chunks::<16>();
        let weight = simd.load(&[weight; 16]);
        for n in 0..N {
            sums[n] = simd.mul_add(weight, simd.load(&values[n]), sums[n]);
        }
    }
    for n in 0..N {
        simd.store(sums[n], &mut out[n]);
    }
}
