use std::arch::x86_64::*;

use half::f16;

use super::avx2::{sum_of_eight, transpose};
use super::{Job, Simd};

/// AVX-512: registers of sixteen f32, thirty-two of them. With or without the instruction that
/// multiplies bytes and adds up four products.
#[derive(Clone, Copy, Debug)]
pub struct Avx512<const VNNI: bool>(());

impl<const VNNI: bool> Avx512<VNNI> {
    pub fn detect() -> Option<Avx512<VNNI>> {
        let present = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512bw")
            && (!VNNI || is_x86_feature_detected!("avx512vnni"));
        present.then_some(Avx512(()))
    }
}

impl<const VNNI: bool> Simd for Avx512<VNNI> {
    type Lanes = __m512;
    type Rows = [__m512i; 8]; // rows 0 and 4 in one register, 1 and 5, 2 and 6, 3 and 7, then 8 and 12, and so on
    type Ints = __m512i;
    const GROUPS: usize = 32;

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

    #[inline(always)]
    fn load_rows(self, bytes: [&[u8; 32]; 16]) -> [__m512i; 8] {
        // SAFETY: an `Avx512` exists, so the CPU has it; each load takes just the 32 bytes.
        unsafe {
            let mut rows = [_mm512_setzero_si512(); 8];
            for (i, two) in rows.iter_mut().enumerate() {
                let row = i + i / 4 * 4;
                let low = _mm256_loadu_si256(bytes[row].as_ptr().cast());
                let high = _mm256_loadu_si256(bytes[row + 4].as_ptr().cast());
                *two = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high);
            }
            rows
        }
    }

    #[inline(always)]
    fn load_halves(self, bytes: [&[u8; 16]; 16]) -> [__m512i; 8] {
        // SAFETY: an `Avx512` exists, so the CPU has it; each load takes just the sixteen bytes.
        unsafe {
            let mut rows = [_mm512_setzero_si512(); 8];
            for (i, two) in rows.iter_mut().enumerate() {
                let row = i + i / 4 * 4;
                let low = _mm_loadu_si128(bytes[row].as_ptr().cast());
                let high = _mm_loadu_si128(bytes[row + 4].as_ptr().cast());
                let both = _mm512_castsi256_si512(_mm256_set_m128i(high, low));
                // Each of them twice, and the second time shifted.
                let both = _mm512_shuffle_i64x2::<0b01_01_00_00>(both, both);
                let right = _mm512_set_epi64(4, 4, 0, 0, 4, 4, 0, 0);
                *two = _mm512_srlv_epi64(both, right);
            }
            self.bits(rows, 0, 15)
        }
    }

    /// There is no shift of bytes: those of 16 bits bring in neighbours, which `mask` takes away.
    #[inline(always)]
    fn bits(self, mut rows: [__m512i; 8], first: usize, mask: u8) -> [__m512i; 8] {
        // SAFETY: an `Avx512` exists, so the CPU has it.
        unsafe {
            for two in &mut rows {
                let shifted = _mm512_srl_epi16(*two, _mm_cvtsi32_si128(first as i32));
                *two = _mm512_and_si512(shifted, _mm512_set1_epi8(mask as i8));
            }
            rows
        }
    }

    #[inline(always)]
    fn join(self, low: [__m512i; 8], mut high: [__m512i; 8]) -> [__m512i; 8] {
        // SAFETY: an `Avx512` exists, so the CPU has it.
        unsafe {
            for (high, low) in high.iter_mut().zip(low) {
                *high = _mm512_or_si512(low, _mm512_slli_epi16::<4>(*high));
            }
            high
        }
    }

    #[inline(always)]
    fn dots(self, mut rows: [__m512i; 8], x: &[u8; 32]) -> [__m512i; 2] {
        // SAFETY: an `Avx512<true>` exists only where the CPU has both; the load takes just the 32 bytes.
        unsafe {
            let x = _mm512_broadcast_i64x4(_mm256_loadu_si256(x.as_ptr().cast()));
            let zero = _mm512_setzero_si512();
            if VNNI {
                // The first factor has no sign: 128 is added to it, and 128 times x taken away at the start.
                let shift = _mm512_set1_epi8(i8::MIN);
                let start = _mm512_sub_epi32(zero, _mm512_dpbusd_epi32(zero, shift, x));
                for two in &mut rows {
                    *two = _mm512_dpbusd_epi32(start, _mm512_xor_si512(*two, shift), x);
                }
            } else {
                // The first factor has no sign: its sign goes to x. Two products are 32,512 at most.
                for two in &mut rows {
                    let negative = _mm512_movepi8_mask(*two);
                    let x = _mm512_mask_sub_epi8(x, negative, zero, x);
                    *two = fours(_mm512_abs_epi8(*two), x);
                }
            }
            sums_of_rows(rows)
        }
    }

    #[inline(always)]
    fn dots_from_zero(self, mut rows: [__m512i; 8], x: &[u8; 32]) -> [__m512i; 2] {
        // SAFETY: an `Avx512<true>` exists only where the CPU has both; the load takes just the 32 bytes.
        unsafe {
            let x = _mm512_broadcast_i64x4(_mm256_loadu_si256(x.as_ptr().cast()));
            for two in &mut rows {
                *two = if VNNI {
                    _mm512_dpbusd_epi32(_mm512_setzero_si512(), *two, x)
                } else {
                    fours(*two, x)
                };
            }
            sums_of_rows(rows)
        }
    }

    #[inline(always)]
    fn add_ints(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: an `Avx512` exists, so the CPU has it.
        unsafe { _mm512_add_epi32(a, b) }
    }

    #[inline(always)]
    fn to_f32(self, ints: __m512i, offset: i32) -> __m512 {
        // SAFETY: an `Avx512` exists, so the CPU has it.
        unsafe { _mm512_cvtepi32_ps(_mm512_sub_epi32(ints, _mm512_set1_epi32(offset))) }
    }

    #[inline(always)]
    fn transpose(self, rows: [&[u8; 16]; 16]) -> [[u8; 16]; 16] {
        // SAFETY: a CPU with AVX-512 has AVX2.
        unsafe { transpose(rows) }
    }

    #[inline(always)]
    fn fetch(self, bytes: &[u8]) {
        for line in bytes.chunks(64) {
            // SAFETY: every x86-64 CPU has it, and it only asks for the line.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
        }
    }

    #[inline(always)]
    fn run(self, job: impl Job) {
        // Without VL the compiler may use only half of the registers.
        #[target_feature(enable = "avx512f,avx512vl,avx512bw")]
        fn with_avx512<const VNNI: bool>(simd: Avx512<VNNI>, job: impl Job) {
            job.run(simd);
        }
        #[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512vnni")]
        fn with_vnni<const VNNI: bool>(simd: Avx512<VNNI>, job: impl Job) {
            job.run(simd);
        }
        // SAFETY: an `Avx512<true>` exists only where the CPU has both.
        unsafe { if VNNI { with_vnni(self, job) } else { with_avx512(self, job) } }
    }
}

/// Sums of four neighbouring products. No sum of two may be beyond 32,767.
#[inline(always)]
unsafe fn fours(without_sign: __m512i, with_sign: __m512i) -> __m512i {
    // SAFETY: the caller has AVX-512.
    unsafe {
        let twos = _mm512_maddubs_epi16(without_sign, with_sign);
        _mm512_madd_epi16(twos, _mm512_set1_epi16(1))
    }
}

/// From eight sums of four products each for every row, two rows by two, to two sums of sixteen.
#[inline(always)]
unsafe fn sums_of_rows(rows: [__m512i; 8]) -> [__m512i; 2] {
    // SAFETY: the caller has AVX-512.
    unsafe {
        let mut eights = [rows[0]; 2]; // each has two sums of eight rows
        for i in 0..2 {
            let (a, b, c, d) = (rows[4 * i], rows[4 * i + 1], rows[4 * i + 2], rows[4 * i + 3]);
            let a = _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
            let c = _mm512_add_epi32(_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
            eights[i] =
                _mm512_add_epi32(_mm512_unpacklo_epi64(a, c), _mm512_unpackhi_epi64(a, c));
        }
        let [a, b] = eights;
        let low = _mm512_shuffle_i32x4::<0b10_00_10_00>(a, b);
        [low, _mm512_shuffle_i32x4::<0b11_01_11_01>(a, b)]
    }
}
