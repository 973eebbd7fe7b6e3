use std::arch::wasm32::*;

use half::f16;

use super::{Kernel, Scalar, Simd};

/// The registers of WebAssembly: four f32, or two f64. It has no fused multiply-add.
#[derive(Clone, Copy, Debug)]
pub struct Simd128(());

impl Simd128 {
    /// Nothing to ask: a browser that doesn't know these instructions refuses the whole module.
    pub fn detect() -> Simd128 {
        const { assert!(cfg!(target_feature = "simd128"), "build with +simd128") };
        Simd128(())
    }
}

impl Simd for Simd128 {
    type Lanes = [v128; 4]; // four times four
    const REGISTER_SETS: usize = 4;

    #[inline(always)]
    fn load(self, numbers: &[f32; 16]) -> [v128; 4] {
        // SAFETY: each load takes four of the sixteen numbers.
        [0, 4, 8, 12].map(|at| unsafe { v128_load(numbers[at..][..4].as_ptr().cast()) })
    }

    #[inline(always)]
    fn load_f16(self, numbers: &[f16; 16]) -> [v128; 4] {
        self.load(&numbers.map(f16::to_f32))
    }

    #[inline(always)]
    fn store(self, lanes: [v128; 4], numbers: &mut [f32; 16]) {
        for (four, numbers) in lanes.into_iter().zip(numbers.as_chunks_mut::<4>().0) {
            // SAFETY: the store fills just the four numbers.
            unsafe { v128_store(numbers.as_mut_ptr().cast(), four) };
        }
    }

    #[inline(always)]
    fn mul_add(self, a: [v128; 4], b: [v128; 4], sum: [v128; 4]) -> [v128; 4] {
        let mut rounded = sum;
        let mut middle = i32x4_splat(0);
        let mut smallest = f32x4_splat(1.0);
        for four in 0..4 {
            let low = in_f64(a[four], b[four], sum[four]);
            let high = in_f64(upper(a[four]), upper(b[four]), upper(sum[four]));
            // The last bits of an f64, which an f32 has no room for.
            let last = i32x4_shuffle::<0, 2, 4, 6>(low, high);
            let cut = v128_and(last, i32x4_splat(0x1fff_ffff));
            middle = v128_or(middle, i32x4_eq(cut, i32x4_splat(0x1000_0000)));

            let (low, high) = (f32x4_demote_f64x2_zero(low), f32x4_demote_f64x2_zero(high));
            rounded[four] = i32x4_shuffle::<0, 1, 4, 5>(low, high);
            smallest = f32x4_pmin(smallest, f32x4_abs(rounded[four]));
        }
        let small = f32x4_le(smallest, f32x4_splat(f32::MIN_POSITIVE));
        if v128_any_true(v128_or(middle, small)) { one_by_one(a, b, sum) } else { rounded }
    }

    #[inline(always)]
    fn sum(self, lanes: [v128; 4]) -> f32 {
        let four = f32x4_add(f32x4_add(lanes[0], lanes[2]), f32x4_add(lanes[1], lanes[3]));
        let two = f32x4_add(four, upper(four));
        f32x4_extract_lane::<0>(two) + f32x4_extract_lane::<1>(two)
    }

    #[inline(always)]
    fn run(self, kernel: impl Kernel) {
        kernel.run(self); // compiled for these instructions already, as the whole module
    }
}

/// a * b + sum of the lower two lanes: the product is exact, the sum is rounded to f64.
#[inline(always)]
fn in_f64(a: v128, b: v128, sum: v128) -> v128 {
    let [a, b, sum] = [a, b, sum].map(|four| f64x2_promote_low_f32x4(four));
    f64x2_add(f64x2_mul(a, b), sum)
}

#[inline(always)]
fn upper(four: v128) -> v128 {
    i64x2_shuffle::<1, 1>(four, four)
}

/// For sums whose second rounding may be wrong. Apart from zeros these are few.
#[cold]
#[inline(never)]
fn one_by_one(a: [v128; 4], b: [v128; 4], sum: [v128; 4]) -> [v128; 4] {
    let simd = Simd128(());
    let [a, b, sum] = [a, b, sum].map(|lanes| {
        let mut numbers = [0.0; 16];
        simd.store(lanes, &mut numbers);
        numbers
    });
    simd.load(&Scalar::detect().mul_add(a, b, sum))
}
