use std::arch::x86_64::*;

use half::f16;

use super::amx::Amx;
use super::avx2::{has_large_l1, sum_of_eight, transpose};
use super::{Kernel, Simd};

/// AVX-512: registers of sixteen f32, thirty-two of them. With or without the instruction that
/// multiplies bytes and adds up four products.
#[derive(Clone, Copy, Debug)]
pub struct Avx512<const VNNI: bool>(bool, Option<Amx>); // whether L1 is large; tiles, to be used

impl<const VNNI: bool> Avx512<VNNI> {
    pub fn detect() -> Option<Avx512<VNNI>> {
        let present = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512bw")
            && (!VNNI || is_x86_feature_detected!("avx512vnni"));
        present.then(|| Avx512(has_large_l1(), None))
    }
}

impl Avx512<true> {
    /// The same registers with tiles beside them.
    pub fn detect_with_tiles() -> Option<Avx512<true>> {
        let amx = Amx::detect().ok()?;
        let Avx512(large_l1, _) = Avx512::<true>::detect()?;
        Some(Avx512(large_l1, Some(amx)))
    }
}

impl<const VNNI: bool> Simd for Avx512<VNNI> {
    type Lanes = __m512;
    type Rows = [__m512i; 4]; // rows 0, 4, 8, 12 in one register, then 1, 5, 9, 13, and so on
    type Fours = [__m512i; 4]; // of the same rows
    type Ints = __m512i;
    type Column = __m512i;
    const REGISTER_SETS: usize = 32;
    const BIAS: i32 = if VNNI { 128 } else { 0 };

    #[inline(always)]
    fn load(self, numbers: &[f32; 16]) -> __m512 {
        // SAFETY: an `Avx512` exists, so the CPU has it; the load takes just the sixteen numbers.
        unsafe { _mm512_loadu_ps(numbers.as_ptr()) }
    }

    #[inline(always)]
    fn load_f16(self, numbers: &[f16; 16]) -> __m512 {
        // SAFETY: as for `load`.
        unsafe { _mm512_cvtph_ps(_mm256_loadu_si256(numbers.as_ptr().cast())) }
    }

    #[inline(always)]
    fn store(self, lanes: __m512, numbers: &mut [f32; 16]) {
        // SAFETY: as for `load`.
        unsafe { _mm512_storeu_ps(numbers.as_mut_ptr(), lanes) }
    }

    #[inline(always)]
    fn multiply(self, a: __m512, b: __m512) -> __m512 {
        // SAFETY: an `Avx512` exists, so the CPU has it.
        unsafe { _mm512_mul_ps(a, b) }
    }

    #[inline(always)]
    fn mul_add(self, a: __m512, b: __m512, sum: __m512) -> __m512 {
        // SAFETY: an `Avx512` exists, so the CPU has it.
        unsafe { _mm512_fmadd_ps(a, b, sum) }
    }

    #[inline(always)]
    fn sum(self, lanes: __m512) -> f32 {
        // SAFETY: an `Avx512` exists, so the CPU has it.
        unsafe {
            let swapped = _mm512_shuffle_f32x4::<0b01_00_11_10>(lanes, lanes);
            sum_of_eight(_mm512_castps512_ps256(_mm512_add_ps(lanes, swapped)))
        }
    }

    /// Two registers become one in each round: their halves, then quarters, are put beside each other
    /// and added.
    #[inline(always)]
    fn sum_eight(self, eight: [__m512; 8]) -> [f32; 8] {
        // SAFETY: an `Avx512` exists, so the CPU has it; the store takes just the eight numbers.
        unsafe {
            let mut four = [eight[0]; 4];
            for i in 0..4 {
                let (a, b) = (eight[i], eight[i + 4]);
                let low = _mm512_shuffle_f32x4::<0b01_00_01_00>(a, b);
                let high = _mm512_shuffle_f32x4::<0b11_10_11_10>(a, b);
                four[i] = _mm512_add_ps(low, high); // eight sums of a, eight of b
            }
            let mut two = [eight[0]; 2];
            for i in 0..2 {
                let (a, b) = (four[i], four[i + 2]);
                let low = _mm512_shuffle_f32x4::<0b10_00_10_00>(a, b);
                let high = _mm512_shuffle_f32x4::<0b11_01_11_01>(a, b);
                two[i] = _mm512_add_ps(low, high); // four sums of each of four
            }
            let [a, b] = two.map(|lanes| _mm512_castps_pd(lanes));
            let low = _mm512_castpd_ps(_mm512_unpacklo_pd(a, b));
            let one = _mm512_add_ps(low, _mm512_castpd_ps(_mm512_unpackhi_pd(a, b)));
            let one = _mm512_add_ps(one, _mm512_movehdup_ps(one));
            // The sums are in every other lane, in the order 0, 1, 4, 5, 2, 3, 6, 7.
            let order = _mm512_setr_epi32(0, 2, 8, 10, 4, 6, 12, 14, 0, 0, 0, 0, 0, 0, 0, 0);
            let mut sums = [0.0; 8];
            let sorted = _mm512_castps512_ps256(_mm512_permutexvar_ps(order, one));
            _mm256_storeu_ps(sums.as_mut_ptr(), sorted);
            sums
        }
    }

    #[inline(always)]
    fn load_rows(self, bytes: [&[u8; 16]; 16]) -> [__m512i; 4] {
        // SAFETY: an `Avx512` exists, so the CPU has it; each load takes just the sixteen bytes.
        unsafe {
            let mut rows = [_mm512_setzero_si512(); 4];
            for (row, four) in rows.iter_mut().enumerate() {
                let a = _mm_loadu_si128(bytes[row].as_ptr().cast());
                let b = _mm_loadu_si128(bytes[row + 4].as_ptr().cast());
                let c = _mm_loadu_si128(bytes[row + 8].as_ptr().cast());
                let d = _mm_loadu_si128(bytes[row + 12].as_ptr().cast());
                let (low, high) = (_mm256_set_m128i(b, a), _mm256_set_m128i(d, c));
                *four = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high);
            }
            rows
        }
    }

    /// There is no shift of single bytes. One of 16 bits moves bits into the neighbour: `mask` clears them.
    #[inline(always)]
    fn bits(self, mut rows: [__m512i; 4], first: usize, mask: u8) -> [__m512i; 4] {
        // SAFETY: an `Avx512` exists, so the CPU has it.
        unsafe {
            for four in &mut rows {
                let shifted = _mm512_srl_epi16(*four, _mm_cvtsi32_si128(first as i32));
                *four = _mm512_and_si512(shifted, _mm512_set1_epi8(mask as i8));
            }
            rows
        }
    }

    #[inline(always)]
    fn join(self, low: [__m512i; 4], mut high: [__m512i; 4]) -> [__m512i; 4] {
        // SAFETY: an `Avx512` exists, so the CPU has it.
        unsafe {
            for (high, low) in high.iter_mut().zip(low) {
                *high = _mm512_or_si512(low, _mm512_slli_epi16::<4>(*high));
            }
            high
        }
    }

    #[inline(always)]
    fn no_fours(self) -> [__m512i; 4] {
        // SAFETY: an `Avx512` exists, so the CPU has it.
        unsafe { [_mm512_setzero_si512(); 4] }
    }

    #[inline(always)]
    fn dot(self, rows: [__m512i; 4], x: &[u8; 16], mut fours: [__m512i; 4]) -> [__m512i; 4] {
        // SAFETY: an `Avx512<true>` exists only where the CPU has both; the load takes just the sixteen bytes.
        unsafe {
            let x = _mm512_broadcast_i32x4(_mm_loadu_si128(x.as_ptr().cast()));
            let zero = _mm512_setzero_si512();
            if VNNI {
                // The first factor is unsigned: we add 128 to it, and subtract 128 times x.
                let shift = _mm512_set1_epi8(i8::MIN);
                let too_much = _mm512_dpbusd_epi32(zero, shift, x);
                for (fours, four) in fours.iter_mut().zip(rows) {
                    let start = _mm512_sub_epi32(*fours, too_much);
                    *fours = _mm512_dpbusd_epi32(start, _mm512_xor_si512(four, shift), x);
                }
            } else {
                // The first factor is unsigned, so its sign moves to x. Two products are 32,512 at
                // most.
                for (fours, four) in fours.iter_mut().zip(rows) {
                    let x = _mm512_mask_sub_epi8(x, _mm512_movepi8_mask(four), zero, x);
                    let products = _mm512_maddubs_epi16(_mm512_abs_epi8(four), x);
                    let sums = _mm512_madd_epi16(products, _mm512_set1_epi16(1));
                    *fours = _mm512_add_epi32(*fours, sums);
                }
            }
            fours
        }
    }

    #[inline(always)]
    fn dot_from_zero(
        self,
        rows: [__m512i; 4],
        x: &[u8; 16],
        mut fours: [__m512i; 4],
    ) -> [__m512i; 4] {
        // SAFETY: an `Avx512<true>` exists only where the CPU has both; the load takes just the sixteen bytes.
        unsafe {
            let x = _mm512_broadcast_i32x4(_mm_loadu_si128(x.as_ptr().cast()));
            for (fours, four) in fours.iter_mut().zip(rows) {
                *fours = if VNNI {
                    _mm512_dpbusd_epi32(*fours, four, x)
                } else {
                    let products = _mm512_maddubs_epi16(four, x);
                    let sums = _mm512_madd_epi16(products, _mm512_set1_epi16(1));
                    _mm512_add_epi32(*fours, sums)
                };
            }
            fours
        }
    }

    #[inline(always)]
    fn total(self, [a, b, c, d]: [__m512i; 4]) -> __m512i {
        // SAFETY: an `Avx512` exists, so the CPU has it.
        unsafe {
            let ab = _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
            let cd = _mm512_add_epi32(_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
            _mm512_add_epi32(_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd))
        }
    }

    #[inline(always)]
    fn to_f32(self, ints: __m512i, offset: i32) -> __m512 {
        // SAFETY: an `Avx512` exists, so the CPU has it.
        unsafe { _mm512_cvtepi32_ps(_mm512_sub_epi32(ints, _mm512_set1_epi32(offset))) }
    }

    #[inline(always)]
    fn pack(self, [a, b, c, d]: [__m512i; 4], less: u8, columns: &mut [[u8; 64]; 4]) {
        // SAFETY: an `Avx512` exists, so the CPU has it; each store takes just the 64 bytes.
        unsafe {
            let less = _mm512_set1_epi8((i32::from(less) - Self::BIAS) as i8);
            let (ab, cd) = (_mm512_unpacklo_epi32(a, b), _mm512_unpacklo_epi32(c, d));
            let (ab_high, cd_high) = (_mm512_unpackhi_epi32(a, b), _mm512_unpackhi_epi32(c, d));
            let fours = [
                _mm512_unpacklo_epi64(ab, cd),
                _mm512_unpackhi_epi64(ab, cd),
                _mm512_unpacklo_epi64(ab_high, cd_high),
                _mm512_unpackhi_epi64(ab_high, cd_high),
            ];
            for (column, four) in columns.iter_mut().zip(fours) {
                let four = _mm512_sub_epi8(four, less);
                _mm512_storeu_si512(column.as_mut_ptr().cast(), four);
            }
        }
    }

    #[inline(always)]
    fn load_column(self, column: &[u8; 64]) -> __m512i {
        // SAFETY: an `Avx512` exists, so the CPU has it; the load takes just the 64 bytes.
        unsafe { _mm512_loadu_si512(column.as_ptr().cast()) }
    }

    #[inline(always)]
    fn as_rows(self, columns: [__m512i; 4]) -> [__m512i; 4] {
        columns
    }

    #[inline(always)]
    fn as_columns(self, rows: [__m512i; 4]) -> [__m512i; 4] {
        rows
    }

    #[inline(always)]
    fn add_bias(self, column: __m512i) -> __m512i {
        // SAFETY: an `Avx512` exists, so the CPU has it.
        unsafe { _mm512_add_epi8(column, _mm512_set1_epi8(Self::BIAS as i8)) }
    }

    #[inline(always)]
    fn store_column(self, column: __m512i, less: u8, to: &mut [u8; 64]) {
        // SAFETY: an `Avx512` exists, so the CPU has it; the store takes just the 64 bytes.
        unsafe {
            let less = _mm512_set1_epi8(less as i8);
            let column = _mm512_sub_epi8(self.add_bias(column), less);
            _mm512_storeu_si512(to.as_mut_ptr().cast(), column);
        }
    }

    #[inline(always)]
    fn add_column(self, column: __m512i, x: &[u8; 4], ints: __m512i) -> __m512i {
        // SAFETY: an `Avx512<true>` exists only where the CPU has both.
        unsafe {
            let x = _mm512_set1_epi32(i32::from_le_bytes(*x));
            if VNNI {
                _mm512_dpbusd_epi32(ints, column, x)
            } else {
                let zero = _mm512_setzero_si512();
                let x = _mm512_mask_sub_epi8(x, _mm512_movepi8_mask(column), zero, x);
                let products = _mm512_maddubs_epi16(_mm512_abs_epi8(column), x);
                let sums = _mm512_madd_epi16(products, _mm512_set1_epi16(1));
                _mm512_add_epi32(ints, sums)
            }
        }
    }

    #[inline(always)]
    fn splat(self, int: &i32) -> __m512i {
        // SAFETY: an `Avx512` exists, so the CPU has it.
        unsafe { _mm512_set1_epi32(*int) }
    }

    #[inline(always)]
    fn widen(self, bytes: &[u8; 16]) -> __m512 {
        // SAFETY: an `Avx512` exists, so the CPU has it; the load takes just the sixteen bytes.
        unsafe {
            let bytes = _mm_loadu_si128(bytes.as_ptr().cast());
            _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(bytes))
        }
    }

    #[inline(always)]
    fn transpose(self, rows: [&[u8; 16]; 16], columns: &mut [[u8; 16]; 16]) {
        // SAFETY: an `Avx512` exists, so the CPU has it, and for the compiler AVX-512 includes AVX2.
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
    fn tiles(self) -> Option<(Amx, Avx512<false>)> {
        self.1.filter(|_| VNNI).map(|amx| (amx, Avx512(self.0, None)))
    }

    #[inline(always)]
    fn run(self, kernel: impl Kernel) {
        // Without VL the compiler may use only half of the registers.
        #[target_feature(enable = "avx512f,avx512vl,avx512bw")]
        fn with_avx512<const VNNI: bool>(simd: Avx512<VNNI>, kernel: impl Kernel) {
            kernel.run(simd);
        }
        #[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512vnni")]
        fn with_vnni<const VNNI: bool>(simd: Avx512<VNNI>, kernel: impl Kernel) {
            kernel.run(simd);
        }
        // SAFETY: an `Avx512<true>` exists only where the CPU has both.
        unsafe { if VNNI { with_vnni(self, kernel) } else { with_avx512(self, kernel) } }
    }
}
