//! How `ch03/src/simd/simd128.rs` puts a fused multiply-add together, in plain Rust: no CPU runs that file.

use ground::random::SplitMix64;

/// A product and a sum in f64, and the two reasons why it may be wrong: it is in the middle, or small.
fn in_f64(a: f32, b: f32, sum: f32) -> (f32, bool, bool) {
    let once = f64::from(a) * f64::from(b) + f64::from(sum);
    let middle = once.to_bits() & 0x1fff_ffff == 0x1000_0000;
    let rounded = once as f32;
    (rounded, middle, rounded.abs() <= f32::MIN_POSITIVE)
}

/// How many triples neither check lets pass, and how many a program without one of them would get wrong.
#[derive(Debug, Default)]
struct Seen {
    let_pass: usize,
    wrong_in_the_middle: usize,
    wrong_because_small: usize,
}

impl Seen {
    fn try_on(&mut self, a: f32, b: f32, sum: f32) {
        let expected = a.mul_add(b, sum);
        let (found, middle, small) = in_f64(a, b, sum);
        let right =
            found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
        self.let_pass += usize::from(!middle && !small);
        self.wrong_in_the_middle += usize::from(middle && !small && !right);
        self.wrong_because_small += usize::from(small && !middle && !right);
        assert!(
            right || middle || small,
            "{a:e} * {b:e} + {sum:e}: {found:e} instead of {expected:e}"
        );
    }
}

fn any_bits(noise: &mut SplitMix64) -> f32 {
    f32::from_bits(noise.draw() as u32)
}

/// 2^exponent, also below the smallest normal number.
fn power(exponent: i32) -> f32 {
    2.0_f64.powi(exponent) as f32
}

/// Any 24 bits, from 1 to 2, with any sign.
fn fraction(noise: &mut SplitMix64) -> f32 {
    let bits = noise.draw() as u32;
    f32::from_bits(bits & 0x807f_ffff | 0x3f80_0000)
}

/// From `from` up to and without `to`.
fn between(noise: &mut SplitMix64, from: i32, to: i32) -> i32 {
    from + noise.below((to - from) as usize) as i32
}

#[test]
fn any_bits_at_all() {
    let (mut noise, mut seen) = (SplitMix64::new(31), Seen::default());
    for _ in 0..3_000_000 {
        seen.try_on(any_bits(&mut noise), any_bits(&mut noise), any_bits(&mut noise));
    }
    assert!(seen.let_pass > 1_000_000, "{seen:?}");
}

/// A product and a sum of which neither swallows the other.
#[test]
fn exponents_near_each_other() {
    let (mut noise, mut seen) = (SplitMix64::new(32), Seen::default());
    for _ in 0..3_000_000 {
        let (one, other) = (between(&mut noise, -40, 40), between(&mut noise, -40, 40));
        let a = fraction(&mut noise) * power(one);
        let b = fraction(&mut noise) * power(other);
        let apart = between(&mut noise, -28, 28);
        seen.try_on(a, b, fraction(&mut noise) * power(one + other + apart));
    }
    assert!(seen.let_pass > 2_900_000, "{seen:?}");
}

/// A product that is half of the sum's last place, but for a rest too small for f64.
#[test]
fn a_rest_beside_the_middle() {
    let (mut noise, mut seen) = (SplitMix64::new(33), Seen::default());
    for _ in 0..2_000_000 {
        let sum = fraction(&mut noise) * power(between(&mut noise, -60, 60));
        let rest = noise.below(512) as f32 * f32::EPSILON;
        // (1 + rest) (1 - rest) is just below 1.
        let half = (sum.abs().next_up() - sum.abs()) / 2.0;
        let sign = if noise.below(2) == 0 { 1.0 } else { -1.0 };
        let turned = power(between(&mut noise, -20, 20));
        seen.try_on((1.0 + rest) * turned, (1.0 - rest) * half * sign / turned, sum);
    }
    assert!(seen.wrong_in_the_middle > 100_000, "{seen:?}");
}

/// A product in the middle between two f32, and a sum that is next to nothing.
#[test]
fn a_sum_beside_the_middle() {
    let (mut noise, mut seen) = (SplitMix64::new(34), Seen::default());
    for _ in 0..1_000_000 {
        // 12 and 13 bits make 25, the last of which is 1.
        let a = (noise.below(1 << 11) | 1 << 11 | 1) as f32;
        let b = (noise.below(1 << 12) | 1 << 12 | 1) as f32;
        let size = power(between(&mut noise, -60, 60));
        let sum = fraction(&mut noise) * size * power(between(&mut noise, -60, -20));
        seen.try_on(a * size, b, sum);
    }
    assert!(seen.wrong_in_the_middle > 100_000, "{seen:?}");
}

/// Results below the smallest normal number, and beside it.
#[test]
fn subnormal_results() {
    let (mut noise, mut seen) = (SplitMix64::new(35), Seen::default());
    for _ in 0..1_000_000 {
        // Up to 25 bits above the smallest of all, and a product of half of that.
        let bits = noise.draw() as u32;
        let any = f32::from_bits((bits & 0x1ff_ffff) >> noise.below(20) | bits & 0x8000_0000);
        // Just below the first that is normal, a wrong rounding ends at that one.
        let sum = if noise.below(16) == 0 { f32::MIN_POSITIVE.next_down() } else { any };
        let rest = noise.below(90) as f32 * f32::EPSILON;
        let sign = if noise.below(2) == 0 { 1.0 } else { -1.0 };
        let (one, other) = ((1.0 + rest) * power(-75), (1.0 - rest) * power(-75) * sign);
        seen.try_on(one, other, sum);
        let shift = between(&mut noise, -76, -50);
        seen.try_on(
            fraction(&mut noise) * power(shift),
            fraction(&mut noise) * power(-75),
            sum,
        );
    }
    assert!(seen.wrong_because_small > 100_000, "{seen:?}");
}

#[test]
fn zeros_infinities_and_the_rest() {
    let beginnings = [0.0, 1e-45, 1.0, 3.0, f32::MIN_POSITIVE, f32::EPSILON, 1e-40, 65504.0];
    let ends =
        [f32::MAX, 2.0 / f32::MAX, f32::INFINITY, f32::NAN, f32::MIN_POSITIVE.next_down()];
    let numbers: Vec<f32> =
        beginnings.into_iter().chain(ends).flat_map(|number| [number, -number]).collect();
    let mut seen = Seen::default();
    for &a in &numbers {
        for &b in &numbers {
            for &sum in &numbers {
                seen.try_on(a, b, sum);
            }
        }
    }
    assert!(seen.let_pass > 5_000, "{seen:?}");
}
