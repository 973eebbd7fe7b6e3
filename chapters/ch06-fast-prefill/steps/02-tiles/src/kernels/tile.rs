use super::number::{Number, padded};
use crate::simd::Simd;

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
