use super::number::{Number, padded};
use crate::simd::Simd;

/// What a tile of 6 times 4 keeps in registers: its sums, four sixteens of one side and one of the other.
pub const LARGE_TILE: usize = 6 * 4 + 4 + 1;

/// The dot products of `M` rows of x with `N` rows of the weight.
/// A row of x is padded to whole sixteens, a row of the weight need not be.
#[inline(always)]
pub fn tile<S: Simd, W: Number, const M: usize, const N: usize>(
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
        let (mut x_now, mut weight_now) = ([&x[0][i]; M], [&sixteens[0][i]; N]);
        for m in 0..M {
            x_now[m] = &x[m][i];
        }
        for n in 0..N {
            weight_now[n] = &sixteens[n][i];
        }
        step(simd, &mut sums, x_now, weight_now);
    }
    if whole * 16 < inner {
        let tails = weight.map(|row| padded(&row[whole * 16..]));
        step(simd, &mut sums, x.map(|row| &row[whole]), tails.each_ref());
    }
    totals(simd, &sums)
}

/// One number for each of the sums.
#[inline(always)]
pub fn totals<S: Simd, const M: usize, const N: usize>(
    simd: S,
    sums: &[[S::Lanes; N]; M],
) -> [[f32; N]; M] {
    let mut out = [[0.0; N]; M];
    let (eights, rest) = out.as_flattened_mut().as_chunks_mut::<8>();
    let (sums_of_eights, sums_of_rest) = sums.as_flattened().as_chunks::<8>();
    for (out, sums) in eights.iter_mut().zip(sums_of_eights) {
        *out = simd.sum_eight(*sums);
    }
    for (out, sum) in rest.iter_mut().zip(sums_of_rest) {
        *out = simd.sum(*sum);
    }
    out
}

/// The next sixteen places of every dot product.
#[inline(always)]
pub fn step<S: Simd, W: Number, const M: usize, const N: usize>(
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
