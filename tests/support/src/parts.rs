//! What the judge computed for single parts of a model, and how near a part must come to it.

use approx::AbsDiffEq;
use ground::random::SplitMix64;
use ndarray::ArrayView2;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The cases of one part, as `tests/fixtures/parts.json` has them.
pub fn cases<T: DeserializeOwned>(part: &str) -> impl Iterator<Item = T> {
    let text = std::fs::read_to_string(crate::root().join("tests/fixtures/parts.json"));
    let mut all: Value = serde_json::from_str(&text.expect("the fixture is there"))
        .expect("the fixture is sound");
    let cases: Vec<T> = serde_json::from_value(all[part].take()).expect("a list of cases");
    assert!(!cases.is_empty(), "the fixture has no cases of {part}");
    cases.into_iter()
}

/// As near as sums in another order come.
pub fn assert_near(found: &[f32], expected: &[f32], place: &str) {
    let largest = expected.iter().fold(0.5f32, |largest, x| largest.max(x.abs()));
    assert_within(2e-6 * largest, found, expected, place);
}

/// Tells the first number that differs by more.
pub fn assert_within(most: f32, found: &[f32], expected: &[f32], place: &str) {
    assert_eq!(found.len(), expected.len(), "{place}: how many numbers there are");
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        // NaN is near nothing.
        let near = found.abs_diff_eq(expected, most);
        assert!(near, "{place}, number {index}: found {found}, expected {expected}");
    }
}

/// Tells the first number that has other bits. NaN would equal nothing, and -0.0 would equal 0.0.
pub fn assert_same_bits(found: ArrayView2<f32>, expected: ArrayView2<f32>, place: &str) {
    assert_eq!(found.dim(), expected.dim(), "{place}: rows and columns");
    for (((row, column), found), expected) in found.indexed_iter().zip(expected) {
        let same = found.to_bits() == expected.to_bits();
        assert!(
            same,
            "{place}, row {row}, column {column}: found {found}, expected {expected}"
        );
    }
}

/// The same numbers for the same seed, from -1 to 1.
pub fn numbers(seed: u64, count: usize) -> Vec<f32> {
    let mut noise = SplitMix64::new(seed);
    (0..count).map(|_| noise.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0).collect()
}
