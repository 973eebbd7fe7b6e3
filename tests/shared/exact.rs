//! How far a product is from the exact one of the weights that the Python package `gguf` reads from the same blocks
//! (`lab/reference/stored_types.py` wrote both). Rounding x is allowed to cost what rounding costs, and everything else
//! only what f32 costs.

use ndarray::{Array2, ArrayView2};

use super::*;

/// Half of what an f32 between 1 and 2 can be off: 2^-24.
const HALF_UNIT: f64 = 1.0 / 16_777_216.0;

/// The blocks, and the numbers that they stand for.
fn fixture(stored: StoredType) -> (Vec<u8>, Vec<f32>) {
    let folder = test_support::root().join("tests/fixtures/stored");
    let read = |ending: &str| {
        let path = folder.join(stored.name().to_lowercase()).with_extension(ending);
        std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let numbers = read("f32");
    (read("stored"), numbers.as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect())
}

/// The definition's integers and scales make the weights that the Python package reads.
#[test]
fn the_definition_means_the_same_weights() {
    for stored in TYPES {
        let (bytes, expected) = fixture(stored);
        let groups = definition::row(stored, &bytes);
        let found: Vec<f32> = groups.iter().flat_map(definition::Group::widened).collect();
        assert_eq!(found.len(), expected.len(), "{}", stored.name());
        for (place, (found, expected)) in found.into_iter().zip(expected).enumerate() {
            assert!(
                same(found, expected),
                "{}, place {place}: {found:e} instead of {expected:e}",
                stored.name()
            );
        }
    }
}

/// Rows that are easy to round, and rows that are not. All scales are above 2^-20, and those of the weights zero or at
/// least 2^-24: nothing in the products is so small that it would lose bits.
fn some_x(noise: &mut SplitMix64, inner: usize) -> Array2<f32> {
    Array2::from_shape_fn((5, inner), |(row, i)| match row {
        0 => number(noise),
        1 => (i as f32 * 0.37).sin() * 3.0,
        2 if i % 32 == 7 => 100.0, // all others of the group have few bits left
        2 => 0.4 * number(noise),
        3 => number(noise) * 4.0_f32.powi(i as i32 / 32 % 7 - 3),
        _ => 1.0 + number(noise) / 8.0, // one sign: nothing cancels
    })
}

/// What is known of one output without the engine.
struct Known {
    /// With x as it is.
    exact: f64,
    /// With x as its integers say.
    with_rounded_x: f64,
    /// How far these two may be from each other.
    rounding: f64,
    /// How far what is computed in f32 may be from the second.
    chain: f64,
}

fn known(x: &[f32], numbers: &[f32], groups: &[definition::Group]) -> Known {
    let rounded = definition::round(x);
    let scale = |place: usize| f64::from(rounded.scales[place / 32]);
    let x_again = |place: usize| scale(place) * f64::from(rounded.ints[place]);
    let (mut exact, mut with_rounded_x, mut rounding, mut sizes) = (0.0, 0.0, 0.0, 0.0);
    for (place, weight) in numbers.iter().map(|&weight| f64::from(weight)).enumerate() {
        exact += weight * f64::from(x[place]);
        with_rounded_x += weight * x_again(place);
        // An integer is at most 1/2 from x * (1 / d). That number has been rounded twice, and is at most 127: so it
        // is at most 2 * 127 * 2^-24 from x / d, and a little; 2^-15 is twice that.
        rounding += weight.abs() * scale(place) * (0.5 + 1.0 / 32_768.0);
        sizes += (weight * x_again(place)).abs();
    }
    // In f32 an output is a chain of n fused multiply-adds, one for a scale and one for a minimum. What each adds is a
    // product of three, the scale (or minimum), d, and a sum of integers; one product of two of these has been rounded
    // before. (The integers and their sums are exact, far below 2^24.) So each term is rounded at most n + 1 times, and
    // each time it changes by at most 2^-24 of its size.
    let (mut terms, mut n, mut place) = (0.0, 0.0, 0);
    for group in groups {
        let (size, d) = (group.ints.len(), scale(place));
        let ints = &rounded.ints[place..place + size];
        let products: i32 = group.ints.iter().zip(ints).map(|(w, q)| w * q).sum();
        terms += (f64::from(group.scale) * d * f64::from(products)).abs();
        n += 1.0;
        if let Some(minimum) = group.minimum {
            terms += (f64::from(minimum) * d * f64::from(ints.iter().sum::<i32>())).abs();
            n += 1.0;
        }
        place += size;
    }
    // Rounded so often, an error grows a little with the others: n is at most 512, and a thousandth more is enough.
    let mut chain = 1.001 * (n + 1.0) * HALF_UNIT * terms;
    if groups[0].minimum.is_some() {
        chain += HALF_UNIT * sizes; // the Python package's weights have been rounded once, after the minimum
    }
    chain += sizes * 2.0_f64.powi(-39); // these sums of at most 8,192 numbers, in f64
    Known { exact, with_rounded_x, rounding, chain }
}

#[test]
fn rounding_x_explains_the_error() {
    let mut noise = SplitMix64::new(80);
    for stored in TYPES {
        let (bytes, numbers) = fixture(stored);
        let blocks = bytes.len() / stored.block_bytes();
        let mut seen = 0; // outputs that f32 alone would not have made so wrong
        for columns in [blocks, blocks / 4, 1] {
            let inner = numbers.len() / columns;
            let x = some_x(&mut noise, inner);
            let groups = definition::rows(stored, &bytes, columns);
            let numbers = ArrayView2::from_shape((columns, inner), &numbers).expect("rows");
            let known = |row: usize, column: usize| {
                known(&x.row(row).to_vec(), &numbers.row(column).to_vec(), &groups[column])
            };
            let known = Array2::from_shape_fn((x.nrows(), columns), |(m, n)| known(m, n));
            for backend in backends() {
                let found = product(backend, x.view(), stored, &bytes, columns);
                for ((place, found), known) in found.indexed_iter().zip(&known) {
                    let what = format!(
                        "{backend:?}, {}, {inner} places, output {place:?}",
                        stored.name()
                    );
                    let found = f64::from(*found);
                    let error = (found - known.with_rounded_x).abs();
                    assert!(
                        error <= known.chain,
                        "{what}: found {found}, expected {} with rounded x; they are {error:e} apart, and f32 explains {:e}",
                        known.with_rounded_x,
                        known.chain
                    );
                    let error = (found - known.exact).abs();
                    assert!(
                        error <= known.rounding + known.chain,
                        "{what}: {found}, {error:e} from {}; rounding explains {:e}",
                        known.exact,
                        known.rounding
                    );
                    seen += usize::from(error > known.chain);
                }
            }
        }
        assert!(seen > 0, "{}: x was not rounded", stored.name());
    }
}
