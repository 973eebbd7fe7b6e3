use half::f16;

use super::{Kernel, Simd};

/// Plain Rust, for every CPU. What it computes is what all the others must compute.
#[derive(Clone, Copy, Debug)]
pub struct Scalar {
    #[cfg(target_arch = "x86_64")]
    fma: bool, // only true where the CPU has the instruction
}

impl Scalar {
    pub fn detect() -> Scalar {
        Scalar {
            #[cfg(target_arch = "x86_64")]
            fma: is_x86_feature_detected!("fma"),
        }
    }

    /// As if this were the oldest CPU of its kind.
    pub fn without_fma() -> Scalar {
        Scalar {
            #[cfg(target_arch = "x86_64")]
            fma: false,
        }
    }
}

impl Simd for Scalar {
    type Lanes = [f32; 16];

    #[inline(always)]
    fn load(self, numbers: &[f32; 16]) -> [f32; 16] {
        *numbers
    }

    #[inline(always)]
    fn load_f16(self, numbers: &[f16; 16]) -> [f32; 16] {
        numbers.map(f16::to_f32)
    }

    #[inline(always)]
    fn mul_add(self, a: [f32; 16], b: [f32; 16], mut sum: [f32; 16]) -> [f32; 16] {
        for lane in 0..16 {
            sum[lane] = a[lane].mul_add(b[lane], sum[lane]);
        }
        sum
    }

    #[inline(always)]
    fn sum(self, mut lanes: [f32; 16]) -> f32 {
        for half in [8, 4, 2, 1] {
            for lane in 0..half {
                lanes[lane] += lanes[lane + half];
            }
        }
        lanes[0]
    }

    #[inline(always)]
    fn run(self, kernel: impl Kernel) {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "fma")]
            fn with_fma(simd: Scalar, kernel: impl Kernel) {
                kernel.run(simd);
            }
            if self.fma {
                // SAFETY: `fma` is only true where the CPU has the instruction.
                return unsafe { with_fma(self, kernel) };
            }
        }
        // Elsewhere `mul_add` may be a function of a library: the same bits, many times slower.
        kernel.run(self);
    }
}
