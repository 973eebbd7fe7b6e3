use std::arch::x86_64::*;

use half::f16;

use super::{Kernel, Simd};

/// AVX2 with FMA and F16C: registers of eight f32, sixteen of them. With or without the instruction
/// that multiplies bytes and adds up four products.
#[derive(Clone, Copy, Debug)]
pub struct Avx2<const VNNI: bool>(bool); // whether L1 is large; private, so that only `detect` makes one

impl<const VNNI: bool> Avx2<VNNI> {
    pub fn detect() -> Option<Avx2<VNNI>> {
        let present = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("f16c")
            && (!VNNI || is_x86_feature_detected!("avxvnni"));
        present.then(|| Avx2(has_large_l1()))
    }
}

impl<const VNNI: bool> Simd for Avx2<VNNI> {
    type Lanes = [__m256; 2]; // lanes 0 to 7, lanes 8 to 15
    type Rows = [__m256i; 8]; // rows 0 and 4 in one register, 1 and 5, 2 and 6, 3 and 7, then 8 and 12
    type Fours = [__m256i; 8]; // of the same rows
    type Ints = [__m256i; 2]; // as the lanes
    type Column = [__m256i; 2];
    const REGISTER_SETS: usize = 8;
    const BIAS: i32 = if VNNI { 128 } else { 0 };

    #[inline(always)]
    fn load(self, numbers: &[f32; 16]) -> [__m256; 2] {
        // SAFETY: an `Avx2` exists, so the CPU has it; both loads stay within the sixteen numbers.
        unsafe { [_mm256_loadu_ps(numbers.as_ptr()), _mm256_loadu_ps(numbers[8..].as_ptr())] }
    }

    #[inline(always)]
    fn load_f16(self, numbers: &[f16; 16]) -> [__m256; 2] {
        // SAFETY: as for `load`.
        unsafe {
            let low = _mm_loadu_si128(numbers.as_ptr().cast());
            let high = _mm_loadu_si128(numbers[8..].as_ptr().cast());
            [_mm256_cvtph_ps(low), _mm256_cvtph_ps(high)]
        }
    }

    #[inline(always)]
    fn store(self, lanes: [__m256; 2], numbers: &mut [f32; 16]) {
        // SAFETY: as for `load`.
        unsafe {
            _mm256_storeu_ps(numbers.as_mut_ptr(), lanes[0]);
            _mm256_storeu_ps(numbers[8..].as_mut_ptr(), lanes[1]);
        }
    }

    #[inline(always)]
    fn multiply(self, a: [__m256; 2], b: [__m256; 2]) -> [__m256; 2] {
        // SAFETY: an `Avx2` exists, so the CPU has it.
        unsafe { [_mm256_mul_ps(a[0], b[0]), _mm256_mul_ps(a[1], b[1])] }
    }

    #[inline(always)]
    fn mul_add(self, a: [__m256; 2], b: [__m256; 2], sum: [__m256; 2]) -> [__m256; 2] {
        // SAFETY: an `Avx2` exists, so the CPU has it.
        unsafe { [_mm256_fmadd_ps(a[0], b[0], sum[0]), _mm256_fmadd_ps(a[1], b[1], sum[1])] }
    }

    #[inline(always)]
    fn sum(self, lanes: [__m256; 2]) -> f32 {
        // SAFETY: an `Avx2` exists, so the CPU has it.
        unsafe { sum_of_eight(_mm256_add_ps(lanes[0], lanes[1])) }
    }

    #[inline(always)]
    fn load_rows(self, bytes: [&[u8; 16]; 16]) -> [__m256i; 8] {
        // SAFETY: an `Avx2` exists, so the CPU has it; each load takes just the sixteen bytes.
        unsafe {
            let mut rows = [_mm256_setzero_si256(); 8];
            for (i, two) in rows.iter_mut().enumerate() {
                let row = i + i / 4 * 4;
                *two = _mm256_loadu2_m128i(
                    bytes[row + 4].as_ptr().cast(),
                    bytes[row].as_ptr().cast(),
                );
            }
            rows
        }
    }

    /// There is no shift of single bytes. One of 16 bits moves bits into the neighbour: `mask` clears them.
    #[inline(always)]
    fn bits(self, mut rows: [__m256i; 8], first: usize, mask: u8) -> [__m256i; 8] {
        // SAFETY: an `Avx2` exists, so the CPU has it.
        unsafe {
            for two in &mut rows {
                let shifted = _mm256_srl_epi16(*two, _mm_cvtsi32_si128(first as i32));
                *two = _mm256_and_si256(shifted, _mm256_set1_epi8(mask as i8));
            }
            rows
        }
    }

    #[inline(always)]
    fn join(self, low: [__m256i; 8], mut high: [__m256i; 8]) -> [__m256i; 8] {
        // SAFETY: an `Avx2` exists, so the CPU has it.
        unsafe {
            for (high, low) in high.iter_mut().zip(low) {
                *high = _mm256_or_si256(low, _mm256_slli_epi16::<4>(*high));
            }
            high
        }
    }

    #[inline(always)]
    fn no_fours(self) -> [__m256i; 8] {
        // SAFETY: an `Avx2` exists, so the CPU has it.
        unsafe { [_mm256_setzero_si256(); 8] }
    }

    #[inline(always)]
    fn dot(self, rows: [__m256i; 8], x: &[u8; 16], mut fours: [__m256i; 8]) -> [__m256i; 8] {
        // SAFETY: an `Avx2<true>` exists only where the CPU has both; the load takes just the sixteen bytes.
        unsafe {
            let x = _mm256_broadcastsi128_si256(_mm_loadu_si128(x.as_ptr().cast()));
            if VNNI {
                // The first factor is unsigned: we add 128 to it, and subtract 128 times x.
                let (zero, shift) = (_mm256_setzero_si256(), _mm256_set1_epi8(i8::MIN));
                let too_much = _mm256_dpbusd_avx_epi32(zero, shift, x);
                for (fours, two) in fours.iter_mut().zip(rows) {
                    let start = _mm256_sub_epi32(*fours, too_much);
                    *fours = _mm256_dpbusd_avx_epi32(start, _mm256_xor_si256(two, shift), x);
                }
            } else {
                // The first factor is unsigned, so its sign moves to x. Two products are 32,512 at
                // most.
                for (fours, two) in fours.iter_mut().zip(rows) {
                    let products =
                        _mm256_maddubs_epi16(_mm256_abs_epi8(two), _mm256_sign_epi8(x, two));
                    let sums = _mm256_madd_epi16(products, _mm256_set1_epi16(1));
                    *fours = _mm256_add_epi32(*fours, sums);
                }
            }
            fours
        }
    }

    #[inline(always)]
    fn dot_from_zero(
        self,
        rows: [__m256i; 8],
        x: &[u8; 16],
        mut fours: [__m256i; 8],
    ) -> [__m256i; 8] {
        // SAFETY: an `Avx2<true>` exists only where the CPU has both; the load takes just the sixteen bytes.
        unsafe {
            let x = _mm256_broadcastsi128_si256(_mm_loadu_si128(x.as_ptr().cast()));
            for (fours, two) in fours.iter_mut().zip(rows) {
                *fours = if VNNI {
                    _mm256_dpbusd_avx_epi32(*fours, two, x)
                } else {
                    let products = _mm256_maddubs_epi16(two, x);
                    let sums = _mm256_madd_epi16(products, _mm256_set1_epi16(1));
                    _mm256_add_epi32(*fours, sums)
                };
            }
            fours
        }
    }

    #[inline(always)]
    fn total(self, fours: [__m256i; 8]) -> [__m256i; 2] {
        // SAFETY: an `Avx2` exists, so the CPU has it.
        unsafe {
            let [a, b, c, d, e, f, g, h] = fours;
            [total_of_eight(a, b, c, d), total_of_eight(e, f, g, h)]
        }
    }

    #[inline(always)]
    fn to_f32(self, ints: [__m256i; 2], offset: i32) -> [__m256; 2] {
        // SAFETY: an `Avx2` exists, so the CPU has it.
        unsafe {
            let offset = _mm256_set1_epi32(offset);
            ints.map(|ints| _mm256_cvtepi32_ps(_mm256_sub_epi32(ints, offset)))
        }
    }

    #[inline(always)]
    fn pack(self, rows: [__m256i; 8], less: u8, columns: &mut [[u8; 64]; 4]) {
        // SAFETY: an `Avx2` exists, so the CPU has it; each store takes just half of the 64 bytes.
        unsafe {
            let less = _mm256_set1_epi8((i32::from(less) - Self::BIAS) as i8);
            for half in 0..2 {
                let [a, b, c, d] = [0, 1, 2, 3].map(|i| rows[4 * half + i]);
                let (ab, cd) = (_mm256_unpacklo_epi32(a, b), _mm256_unpacklo_epi32(c, d));
                let (ab_high, cd_high) =
                    (_mm256_unpackhi_epi32(a, b), _mm256_unpackhi_epi32(c, d));
                let fours = [
                    _mm256_unpacklo_epi64(ab, cd),
                    _mm256_unpackhi_epi64(ab, cd),
                    _mm256_unpacklo_epi64(ab_high, cd_high),
                    _mm256_unpackhi_epi64(ab_high, cd_high),
                ];
                for (column, four) in columns.iter_mut().zip(fours) {
                    let four = _mm256_sub_epi8(four, less);
                    _mm256_storeu_si256(column[32 * half..].as_mut_ptr().cast(), four);
                }
            }
        }
    }

    #[inline(always)]
    fn load_column(self, column: &[u8; 64]) -> [__m256i; 2] {
        // SAFETY: an `Avx2` exists, so the CPU has it; both loads stay within the 64 bytes.
        unsafe {
            [
                _mm256_loadu_si256(column.as_ptr().cast()),
                _mm256_loadu_si256(column[32..].as_ptr().cast()),
            ]
        }
    }

    #[inline(always)]
    fn as_rows(self, [a, b, c, d]: [[__m256i; 2]; 4]) -> [__m256i; 8] {
        [a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]]
    }

    #[inline(always)]
    fn as_columns(self, rows: [__m256i; 8]) -> [[__m256i; 2]; 4] {
        let [a, b, c, d, e, f, g, h] = rows;
        [[a, b], [c, d], [e, f], [g, h]]
    }

    #[inline(always)]
    fn add_bias(self, column: [__m256i; 2]) -> [__m256i; 2] {
        // SAFETY: an `Avx2` exists, so the CPU has it.
        unsafe {
            let bias = _mm256_set1_epi8(Self::BIAS as i8);
            [_mm256_add_epi8(column[0], bias), _mm256_add_epi8(column[1], bias)]
        }
    }

    #[inline(always)]
    fn store_column(self, column: [__m256i; 2], less: u8, to: &mut [u8; 64]) {
        // SAFETY: an `Avx2` exists, so the CPU has it; both stores stay within the 64 bytes.
        unsafe {
            let less = _mm256_set1_epi8(less as i8);
            for (half, to) in self.add_bias(column).iter().zip(to.as_chunks_mut::<32>().0) {
                _mm256_storeu_si256(to.as_mut_ptr().cast(), _mm256_sub_epi8(*half, less));
            }
        }
    }

    #[inline(always)]
    fn add_column(
        self,
        column: [__m256i; 2],
        x: &[u8; 4],
        mut ints: [__m256i; 2],
    ) -> [__m256i; 2] {
        // SAFETY: an `Avx2<true>` exists only where the CPU has both.
        unsafe {
            let x = _mm256_set1_epi32(i32::from_le_bytes(*x));
            for (ints, half) in ints.iter_mut().zip(column) {
                *ints = if VNNI {
                    _mm256_dpbusd_avx_epi32(*ints, half, x)
                } else {
                    let products =
                        _mm256_maddubs_epi16(_mm256_abs_epi8(half), _mm256_sign_epi8(x, half));
                    let sums = _mm256_madd_epi16(products, _mm256_set1_epi16(1));
                    _mm256_add_epi32(*ints, sums)
                };
            }
            ints
        }
    }

    #[inline(always)]
    fn splat(self, int: &i32) -> [__m256i; 2] {
        // SAFETY: an `Avx2` exists, so the CPU has it.
        unsafe { [_mm256_set1_epi32(*int); 2] }
    }

    #[inline(always)]
    fn widen(self, bytes: &[u8; 16]) -> [__m256; 2] {
        // SAFETY: an `Avx2` exists, so the CPU has it; the load takes just the sixteen bytes.
        unsafe {
            let bytes = _mm_loadu_si128(bytes.as_ptr().cast());
            let (low, high) = (bytes, _mm_unpackhi_epi64(bytes, bytes));
            [
                _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(low)),
                _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(high)),
            ]
        }
    }

    #[inline(always)]
    fn transpose(self, rows: [&[u8; 16]; 16], columns: &mut [[u8; 16]; 16]) {
        // SAFETY: an `Avx2` exists, so the CPU has it.
        unsafe { transpose(rows, columns) }
    }

    #[inline(always)]
    fn fetch<T>(self, data: &[T], ahead: usize) {
        for line in data.chunks(64 / size_of::<T>()) {
            let there = line.as_ptr().wrapping_byte_add(ahead).cast();
            // SAFETY: every x86-64 CPU has both, and they only ask for memory, wherever that is.
            unsafe {
                if self.0 {
                    _mm_prefetch::<_MM_HINT_T0>(there);
                } else {
                    _mm_prefetch::<_MM_HINT_T1>(there);
                }
            }
        }
    }

    #[inline(always)]
    fn run(self, kernel: impl Kernel) {
        #[target_feature(enable = "avx2,fma,f16c")]
        fn with_avx2<const VNNI: bool>(simd: Avx2<VNNI>, kernel: impl Kernel) {
            kernel.run(simd);
        }
        #[target_feature(enable = "avx2,fma,f16c,avxvnni")]
        fn with_vnni<const VNNI: bool>(simd: Avx2<VNNI>, kernel: impl Kernel) {
            kernel.run(simd);
        }
        // SAFETY: an `Avx2<true>` exists only where the CPU has both.
        unsafe { if VNNI { with_vnni(self, kernel) } else { with_avx2(self, kernel) } }
    }
}

/// Whether the nearest cache has room for sixteen rows in use and sixteen on their way, 35 KB: CPUs have 32 or 48 KiB.
pub(super) fn has_large_l1() -> bool {
    // The first cache that a CPU describes is L1 for data. AMD's do so in a leaf of their own.
    let leaf = if __cpuid(0).ebx == u32::from_le_bytes(*b"Auth") { 0x8000_001d } else { 4 };
    let about = __cpuid_count(leaf, 0);
    let ways = (about.ebx >> 22) + 1;
    let line = (about.ebx & 0xfff) + 1;
    ways * line * (about.ecx + 1) >= 48 << 10
}

/// From four sums for each of eight rows to one.
#[inline(always)]
unsafe fn total_of_eight(a: __m256i, b: __m256i, c: __m256i, d: __m256i) -> __m256i {
    // SAFETY: the caller has AVX2.
    unsafe {
        let ab = _mm256_add_epi32(_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
        let cd = _mm256_add_epi32(_mm256_unpacklo_epi32(c, d), _mm256_unpackhi_epi32(c, d));
        _mm256_add_epi32(_mm256_unpacklo_epi64(ab, cd), _mm256_unpackhi_epi64(ab, cd))
    }
}

/// In each of four rounds, the lines of the second half are interleaved with those of the first.
#[target_feature(enable = "avx2")]
pub(super) fn transpose(rows: [&[u8; 16]; 16], columns: &mut [[u8; 16]; 16]) {
    // SAFETY: each load and store takes just the sixteen bytes.
    unsafe {
        let mut lines = [_mm_setzero_si128(); 16];
        for (line, row) in lines.iter_mut().zip(rows) {
            *line = _mm_loadu_si128(row.as_ptr().cast());
        }
        for _ in 0..4 {
            let before = lines;
            for i in 0..8 {
                lines[2 * i] = _mm_unpacklo_epi8(before[i], before[i + 8]);
                lines[2 * i + 1] = _mm_unpackhi_epi8(before[i], before[i + 8]);
            }
        }
        for (column, line) in columns.iter_mut().zip(lines) {
            _mm_storeu_si128(column.as_mut_ptr().cast(), line);
        }
    }
}

/// The rest of the tree, from eight sums on.
#[target_feature(enable = "avx")]
pub(super) fn sum_of_eight(eight: __m256) -> f32 {
    let four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps::<1>(eight));
    let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
}
