use super::online_softmax::{BLOCK_SIZE, OnlineSoftmax};
use super::tile::{step, totals};
use crate::simd::Simd;

/// Writes the dot products of `M` rows with `N` others to `N` places of each row of `out`, from `first` on.
/// x: [steps] of a sixteen of each row, keys: the same
#[inline(always)]
pub fn dots<S: Simd, const M: usize, const N: usize>(
    simd: S,
    x: &[[[f32; 16]; M]],
    keys: &[[[f32; 16]; N]],
    out: &mut [[f32; BLOCK_SIZE]; M],
    first: usize,
) {
    let mut sums = [[simd.load(&[0.0; 16]); N]; M];
    for (x, keys) in x.iter().zip(keys) {
        step(simd, &mut sums, x.each_ref(), keys.each_ref());
    }
    let numbers = totals(simd, &sums);
    for m in 0..M {
        out[m][first..first + N].copy_from_slice(&numbers[m]);
    }
}

/// Adds the values of a block to `M` rows, each times its own weight: `N` sixteens of each.
#[inline(always)]
pub fn add_weighted<S: Simd, const M: usize, const N: usize>(
    simd: S,
    weights: &[[f32; BLOCK_SIZE]; M],
    seen: [usize; M],
    softmax: &[OnlineSoftmax; M],
    values: &[[[f32; 16]; N]; BLOCK_SIZE],
    mixed: &mut [[[f32; 16]; N]; M],
) {
    // A larger score has made everything mixed so far count less.
    let mut sums = [[simd.load(&[0.0; 16]); N]; M];
    for m in 0..M {
        let factor = simd.load(&[softmax[m].factor; 16]);
        for n in 0..N {
            sums[m][n] = simd.multiply(simd.load(&mixed[m][n]), factor);
        }
    }
    // The first keys of a block are seen by all rows. On the diagonal some see more.
    let common = seen.into_iter().fold(BLOCK_SIZE, usize::min);
    for (key, values) in values[..common].iter().enumerate() {
        let mut lanes = [sums[0][0]; N];
        for n in 0..N {
            lanes[n] = simd.load(&values[n]);
        }
        for m in 0..M {
            let weight = simd.load(&[weights[m][key]; 16]);
            for n in 0..N {
                sums[m][n] = simd.mul_add(weight, lanes[n], sums[m][n]);
            }
        }
    }
    for m in 0..M {
        for n in 0..N {
            simd.store(sums[m][n], &mut mixed[m][n]);
        }
        for key in common..seen[m].min(BLOCK_SIZE) {
            let weight = simd.load(&[weights[m][key]; 16]);
            for n in 0..N {
                let sum = simd.load(&mixed[m][n]);
                simd.store(
                    simd.mul_add(weight, simd.load(&values[key][n]), sum),
                    &mut mixed[m][n],
                );
            }
        }
    }
}
