//! The rule by which a number is rounded to sixteen bits, and that every backend widens what it gave.

use ch08_f16_cache::backend::Backend;
use ch08_f16_cache::cache::round;
use ch08_f16_cache::kernels::Number;
use ch08_f16_cache::simd::{Kernel, Scalar, Simd};
use half::f16;

/// All numbers at once, as a long row is rounded, and one by one.
fn rounded(numbers: &[f32]) -> Vec<u16> {
    let mut all = vec![f16::NAN; numbers.len()];
    round(numbers, &mut all);
    for (number, together) in numbers.iter().zip(&all) {
        let mut alone = [f16::NAN];
        round(&[*number], &mut alone);
        assert_eq!(alone[0].to_bits(), together.to_bits(), "{number:e} alone and in a row");
    }
    all.into_iter().map(f16::to_bits).collect()
}

/// What the bits stand for, read by hand: exact in f32.
fn value(bits: u16) -> f32 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f32::from(bits & 1023));
    let size = match exponent {
        0 => fraction * 2.0_f32.powi(-24),
        31 => panic!("{bits:#06x} is no finite number"),
        _ => (1024.0 + fraction) * 2.0_f32.powi(exponent - 25),
    };
    if bits >> 15 == 0 { size } else { -size }
}

/// Every finite number of sixteen bits: 0x7c00 are positive, zero among them.
fn finite() -> impl Iterator<Item = u16> {
    (0..0x7c00).flat_map(|bits| [bits, bits | 0x8000])
}

#[test]
fn what_sixteen_bits_can_say_stays_as_it_is() {
    let numbers: Vec<f32> = finite().map(value).collect();
    assert_eq!(rounded(&numbers), finite().collect::<Vec<_>>());
}

/// Between two neighbours the nearer is taken, and halfway the one whose last bit is 0; of the largest and what would come
/// after it, infinity.
#[test]
fn halfway_goes_to_the_even_one_and_everything_else_to_the_nearer() {
    for sign in [0, 0x8000] {
        let (mut numbers, mut expected) = (Vec::new(), Vec::new());
        for low in 0..0x7c00_u16 {
            let high = low + 1;
            let above = if high == 0x7c00 { 65_536.0 } else { value(high) };
            let middle = value(low) / 2.0 + above / 2.0;
            let even = if low % 2 == 0 { low } else { high };
            numbers.extend([middle.next_down(), middle, middle.next_up()]);
            expected.extend([low, even, high].map(|bits| bits | sign));
        }
        if sign != 0 {
            numbers.iter_mut().for_each(|number| *number = -*number);
        }
        assert_eq!(rounded(&numbers), expected);
    }
}

#[test]
fn what_is_no_finite_number_stays_so() {
    let found = rounded(&[f32::INFINITY, f32::NEG_INFINITY, 1e-40, -1e-40, 0.0, -0.0]);
    assert_eq!(found, [0x7c00, 0xfc00, 0, 0x8000, 0, 0x8000]);
    for bits in [0x7fc0_0000, 0xffc0_0000, 0x7f80_0001, 0x7fff_ffff, 0xff80_0001_u32] {
        let found = f16::from_bits(rounded(&[f32::from_bits(bits)])[0]);
        assert!(found.is_nan(), "{bits:#010x} became {found}");
    }
}

#[test]
fn only_what_was_finite_and_becomes_infinite_is_told() {
    let fits = |number: f32| round(&[0.0, number, 1.0], &mut [f16::ZERO; 3]);
    for fine in [65_504.0, 65_519.99, -65_519.99, f32::INFINITY, f32::NAN, 0.0] {
        assert!(fits(fine), "{fine}");
    }
    for large in [65_520.0, -65_520.0, 1e30, f32::MAX] {
        assert!(!fits(large), "{large}");
    }
}

/// Sixteen numbers, widened in a register.
struct Widen<'a>(&'a [f16; 16], &'a mut [f32; 16]);

impl Kernel for Widen<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        simd.store(f16::load(simd, self.0), self.1);
    }
}

#[test]
fn every_backend_widens_every_number_to_what_it_is() {
    let mut backends = Backend::available();
    backends.push(Backend::Scalar(Scalar::without_fma()));
    let all: Vec<f16> = (0..=u16::MAX).map(f16::from_bits).collect();
    for backend in backends {
        for sixteen in all.as_chunks::<16>().0 {
            let mut wide = [0.0; 16];
            backend.run(Widen(sixteen, &mut wide));
            for (narrow, wide) in sixteen.iter().zip(wide) {
                let bits = narrow.to_bits();
                match bits & 0x7c00 == 0x7c00 {
                    true if bits & 0x3ff == 0 => assert!(wide.is_infinite()),
                    true => assert!(wide.is_nan(), "{backend:?}: {bits:#06x} is {wide}"),
                    false => {
                        let same = wide.to_bits() == value(bits).to_bits();
                        assert!(same, "{backend:?}: {bits:#06x} is {wide}");
                    }
                }
            }
        }
    }
}
