//! What a CPU can do with sixteen numbers at once: all that differs between instruction sets, and all
//! that is unsafe.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod amx;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;
mod unpacked;

use half::{bf16, f16};

#[cfg(target_arch = "x86_64")]
pub use amx::{Amx, NoAmx, Tiles};
#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::Avx512;
#[cfg(target_arch = "aarch64")]
pub use neon::Neon;
pub use scalar::Scalar;
pub use unpacked::Unpacked;

/// An instruction set. A value of such a type proves that the CPU has it.
pub trait Simd: Copy {
    /// Sixteen f32 in registers.
    type Lanes: Copy;
    /// Sixteen integers of eight bits from each of sixteen rows.
    type Rows: Copy;
    /// Four sums of products for each of sixteen rows.
    type Fours: Copy;
    /// Sixteen integers of 32 bits.
    type Ints: Copy;
    /// Four integers of eight bits from each of sixteen rows.
    type Column: Copy;
    /// How many sets of sixteen f32 fit into the registers.
    const REGISTER_SETS: usize;

    // Sixteen f32.

    fn load(self, numbers: &[f32; 16]) -> Self::Lanes;
    fn load_f16(self, numbers: &[f16; 16]) -> Self::Lanes;
    #[inline(always)]
    fn load_bf16(self, numbers: &[bf16; 16]) -> Self::Lanes {
        // The upper half of an f32: the compiler finds the instructions by itself.
        self.load(&numbers.map(|number| f32::from_bits(u32::from(number.to_bits()) << 16)))
    }
    fn store(self, lanes: Self::Lanes, numbers: &mut [f32; 16]);
    fn multiply(self, a: Self::Lanes, b: Self::Lanes) -> Self::Lanes;
    /// a * b + sum in every lane, rounded once.
    fn mul_add(self, a: Self::Lanes, b: Self::Lanes, sum: Self::Lanes) -> Self::Lanes;
    /// Adds up the lanes in a fixed order: j and j + 8, then j and j + 4, j and j + 2, 0 and 1.
    fn sum(self, lanes: Self::Lanes) -> f32;
    /// The sums of eight registers, each in the same order.
    #[inline(always)]
    fn sum_eight(self, eight: [Self::Lanes; 8]) -> [f32; 8] {
        let mut sums = [0.0; 8];
        for (sum, lanes) in sums.iter_mut().zip(eight) {
            *sum = self.sum(lanes);
        }
        sums
    }

    // Integers of eight bits from sixteen rows.

    fn load_rows(self, bytes: [&[u8; 16]; 16]) -> Self::Rows;
    /// Each byte shifted to the right by `first`, then masked.
    fn bits(self, rows: Self::Rows, first: usize, mask: u8) -> Self::Rows;
    /// low + 16 * high, for bytes below 16.
    fn join(self, low: Self::Rows, high: Self::Rows) -> Self::Rows;
    /// Sums that are all zero.
    fn no_fours(self) -> Self::Fours;
    /// Adds the products of each row with x: each of its four sums gets four of them. No number of x is -128.
    fn dot(self, rows: Self::Rows, x: &[u8; 16], fours: Self::Fours) -> Self::Fours;
    /// The same for rows without negative numbers.
    #[inline(always)]
    fn dot_from_zero(self, rows: Self::Rows, x: &[u8; 16], fours: Self::Fours) -> Self::Fours {
        self.dot(rows, x, fours)
    }
    /// One sum for each row.
    fn total(self, fours: Self::Fours) -> Self::Ints;
    /// Each of them less `offset`, as f32.
    fn to_f32(self, ints: Self::Ints, offset: i32) -> Self::Lanes;
    /// Sixteen integers of eight bits, with a sign, as f32.
    fn widen(self, bytes: &[u8; 16]) -> Self::Lanes;
    /// Rows become columns.
    fn transpose(self, rows: [&[u8; 16]; 16], columns: &mut [[u8; 16]; 16]);

    // The same in columns, for many rows of x.

    /// What `pack` adds to each weight.
    const BIAS: i32;
    /// Subtracts `less` from each byte and stores the bytes in another order: bytes 0 to 3 of all rows in the first
    /// column, bytes 4 to 7 in the second, and so on.
    fn pack(self, rows: Self::Rows, less: u8, columns: &mut [[u8; 64]; 4]);
    fn load_column(self, column: &[u8; 64]) -> Self::Column;
    /// Four columns as what `bits` and `join` take: for these the order of the bytes is all the same.
    fn as_rows(self, columns: [Self::Column; 4]) -> Self::Rows;
    /// And back.
    fn as_columns(self, rows: Self::Rows) -> [Self::Column; 4];
    /// Adds `BIAS` to each byte of weights with a sign.
    #[inline(always)]
    fn add_bias(self, column: Self::Column) -> Self::Column {
        column
    }
    /// What `pack` does, for bytes that are in this order already.
    fn store_column(self, column: Self::Column, less: u8, to: &mut [u8; 64]);
    /// Adds the products of a column with four integers of x. No number of x is -128. With a `BIAS`, the bytes count from
    /// zero.
    fn add_column(self, column: Self::Column, x: &[u8; 4], ints: Self::Ints) -> Self::Ints;
    /// The same integer in all sixteen places.
    fn splat(self, int: &i32) -> Self::Ints;

    // The rest.

    /// Prefetches the cache lines `ahead` bytes further on, which will be needed soon.
    fn fetch<T>(self, data: &[T], ahead: usize) {
        let _ = (data, ahead); // only a hint
    }
    /// Registers that are tiles, where this backend has them, and those beside them, whose `pack` keeps signs.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn tiles(self) -> Option<(Amx, Avx512<false>)> {
        None
    }
    /// Runs a kernel in a function that is compiled for these instructions.
    fn run(self, kernel: impl Kernel);
}

/// Work that is written once and compiled for every instruction set.
/// Only what is inlined into `Simd::run` gets its instructions: hence `inline(always)` all the way down.
pub trait Kernel {
    fn run<S: Simd>(self, simd: S);
}
