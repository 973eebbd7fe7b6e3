use std::array::from_fn;

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
    type Rows = [[i8; 16]; 16];
    type Fours = [[i32; 4]; 16];
    type Ints = [i32; 16];
    type Column = [[i8; 4]; 16];
    const REGISTER_SETS: usize = 8;
    const BIAS: i32 = 0;

    #[inline(always)]
    fn load(self, numbers: &[f32; 16]) -> [f32; 16] {
        *numbers
    }

    #[inline(always)]
    fn load_f16(self, numbers: &[f16; 16]) -> [f32; 16] {
        numbers.map(f16::to_f32)
    }

    #[inline(always)]
    fn store(self, lanes: [f32; 16], numbers: &mut [f32; 16]) {
        *numbers = lanes;
    }

    #[inline(always)]
    fn multiply(self, a: [f32; 16], b: [f32; 16]) -> [f32; 16] {
        from_fn(|lane| a[lane] * b[lane])
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
    fn load_rows(self, bytes: [&[u8; 16]; 16]) -> [[i8; 16]; 16] {
        bytes.map(|row| row.map(|byte| byte as i8))
    }

    #[inline(always)]
    fn bits(self, rows: [[i8; 16]; 16], first: usize, mask: u8) -> [[i8; 16]; 16] {
        rows.map(|row| row.map(|byte| (byte as u8 >> first & mask) as i8))
    }

    #[inline(always)]
    fn join(self, low: [[i8; 16]; 16], high: [[i8; 16]; 16]) -> [[i8; 16]; 16] {
        from_fn(|row| from_fn(|i| low[row][i] | high[row][i] << 4))
    }

    #[inline(always)]
    fn no_fours(self) -> [[i32; 4]; 16] {
        [[0; 4]; 16]
    }

    #[inline(always)]
    fn dot(
        self,
        rows: [[i8; 16]; 16],
        x: &[u8; 16],
        mut fours: [[i32; 4]; 16],
    ) -> [[i32; 4]; 16] {
        for (row, sums) in rows.iter().zip(&mut fours) {
            for i in 0..16 {
                sums[i / 4] += i32::from(row[i]) * i32::from(x[i] as i8);
            }
        }
        fours
    }

    #[inline(always)]
    fn total(self, fours: [[i32; 4]; 16]) -> [i32; 16] {
        fours.map(|sums| sums.iter().sum())
    }

    #[inline(always)]
    fn to_f32(self, ints: [i32; 16], offset: i32) -> [f32; 16] {
        ints.map(|int| (int - offset) as f32)
    }

    #[inline(always)]
    fn pack(self, rows: [[i8; 16]; 16], less: u8, columns: &mut [[u8; 64]; 4]) {
        for (row, bytes) in rows.iter().enumerate() {
            for (i, byte) in bytes.iter().enumerate() {
                columns[i / 4][4 * row + i % 4] = (*byte as u8).wrapping_sub(less);
            }
        }
    }

    #[inline(always)]
    fn load_column(self, column: &[u8; 64]) -> [[i8; 4]; 16] {
        from_fn(|row| from_fn(|i| column[4 * row + i] as i8))
    }

    #[inline(always)]
    fn as_rows(self, columns: [[[i8; 4]; 16]; 4]) -> [[i8; 16]; 16] {
        from_fn(|row| from_fn(|i| columns[i / 4][row][i % 4]))
    }

    #[inline(always)]
    fn as_columns(self, rows: [[i8; 16]; 16]) -> [[[i8; 4]; 16]; 4] {
        from_fn(|four| from_fn(|row| from_fn(|i| rows[row][4 * four + i])))
    }

    #[inline(always)]
    fn store_column(self, column: [[i8; 4]; 16], less: u8, to: &mut [u8; 64]) {
        for (byte, to) in column.as_flattened().iter().zip(to) {
            *to = (*byte as u8).wrapping_sub(less);
        }
    }

    #[inline(always)]
    fn add_column(self, column: [[i8; 4]; 16], x: &[u8; 4], mut ints: [i32; 16]) -> [i32; 16] {
        for (int, bytes) in ints.iter_mut().zip(column) {
            for i in 0..4 {
                *int += i32::from(bytes[i]) * i32::from(x[i] as i8);
            }
        }
        ints
    }

    #[inline(always)]
    fn splat(self, int: &i32) -> [i32; 16] {
        [*int; 16]
    }

    #[inline(always)]
    fn widen(self, bytes: &[u8; 16]) -> [f32; 16] {
        bytes.map(|byte| f32::from(byte as i8))
    }

    #[inline(always)]
    fn transpose(self, rows: [&[u8; 16]; 16], columns: &mut [[u8; 16]; 16]) {
        *columns = from_fn(|column| rows.map(|row| row[column]));
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
