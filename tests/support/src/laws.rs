//! What must be true of every cache of keys and values. Each chapter has a trait of its own for them, so a test of a
//! chapter says how its caches do these few things, and the laws are tried on them.

use ground::random::SplitMix64;

/// A cache under test: what it does with rows of numbers. Its errors are only told from success.
pub trait Kept {
    /// Writes as many rows of keys and of values from the cache's length on; `width` numbers are in each.
    fn write(&mut self, layer: usize, width: usize, k: &[f32], v: &[f32])
    -> Result<(), String>;
    /// Lets the rows count that all layers have written.
    fn advance(&mut self, rows: usize);
    /// All rows of a layer from the beginning: `count` of them.
    fn rows(&self, layer: usize, count: usize) -> Result<(Vec<f32>, Vec<f32>), String>;
    /// Forgets all from there on.
    fn truncate(&mut self, length: usize);
    /// How many positions are complete, and how many there can be.
    fn length(&self) -> (usize, Option<usize>);
}

/// What should be in a layer: keys and values, row after row.
type Rows = (Vec<f32>, Vec<f32>);

/// Tries a kind of cache on random histories. `new` makes an empty one with so many layers, so many numbers in a row
/// and room for so many positions.
pub fn laws<C: Kept>(new: impl Fn(usize, usize, usize) -> C) {
    for seed in 0..300 {
        let mut random = SplitMix64::new(seed);
        let (layers, width) = (1 + random.below(3), 1 + random.below(5));
        let capacity = [1, 7, 64, 65, 200][random.below(5)];
        let mut cache = new(layers, width, capacity);
        let mut expected: Vec<Rows> = vec![Rows::default(); layers];
        for step in 0..40 {
            let length = expected[0].0.len() / width;
            let what =
                format!("seed {seed}, step {step}: {layers} layers of {width}, {length}");
            assert_eq!(cache.length().0, length, "{what}: the length");
            match random.below(8) {
                // A pass that ends before its last layer leaves nothing behind.
                0 => {
                    let rows = 1 + random.below(3);
                    if length + rows <= capacity {
                        let (k, v) = some(&mut random, rows * width);
                        for layer in 0..random.below(layers) {
                            cache.write(layer, width, &k, &v).expect("there is room");
                        }
                    }
                }
                1 => {
                    let to = random.below(length + 3);
                    cache.truncate(to);
                    for (k, v) in &mut expected {
                        k.truncate(to * width);
                        v.truncate(to * width);
                    }
                }
                2 => refusals(&mut cache, (layers, width, length), &what),
                _ => {
                    let rows = [1, 1, 2, 63, 64][random.below(5)];
                    if length + rows > capacity {
                        continue;
                    }
                    for (layer, (all_k, all_v)) in expected.iter_mut().enumerate() {
                        let (k, v) = some(&mut random, rows * width);
                        cache.write(layer, width, &k, &v).expect("there is room");
                        all_k.extend(&k);
                        all_v.extend(&v);
                        // Those just written are seen before they count.
                        let seen = cache.rows(layer, length + rows).expect("they are written");
                        let what = format!("{what}, just written to layer {layer}");
                        assert_rows(&seen.0, all_k, width, &format!("{what}: K"));
                        assert_rows(&seen.1, all_v, width, &format!("{what}: V"));
                    }
                    cache.advance(rows);
                }
            }
            for (layer, expected) in expected.iter().enumerate() {
                let length = expected.0.len() / width;
                let seen = cache.rows(layer, length).expect("they are complete");
                assert_rows(
                    &seen.0,
                    &expected.0,
                    width,
                    &format!("{what}: K of layer {layer}"),
                );
                assert_rows(
                    &seen.1,
                    &expected.1,
                    width,
                    &format!("{what}: V of layer {layer}"),
                );
            }
        }
    }
}

/// The first number that is another one, by its row and column.
fn assert_rows(found: &[f32], expected: &[f32], width: usize, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}: how many numbers there are");
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        let (row, column) = (index / width, index % width);
        assert!(
            found == expected,
            "{what}, row {row}, column {column}: found {found}, expected {expected}"
        );
    }
}

/// What cannot be done is an error, and nothing has changed: the caller looks at all rows after it.
fn refusals(cache: &mut impl Kept, (layers, width, length): (usize, usize, usize), what: &str) {
    let row = vec![9.0; width];
    let wide = vec![9.0; width + 1];
    assert!(cache.write(layers, width, &row, &row).is_err(), "{what}: no such layer");
    assert!(cache.write(0, width + 1, &wide, &wide).is_err(), "{what}: too wide");
    assert!(cache.write(0, width, &row.repeat(2), &row).is_err(), "{what}: a value is missing");
    assert!(cache.rows(layers, 1).is_err(), "{what}: no such layer");
    assert!(cache.rows(0, length + 500).is_err(), "{what}: rows that nobody wrote");
    if let (_, Some(capacity)) = cache.length() {
        let many = vec![9.0; (capacity - length + 1) * width];
        assert!(cache.write(0, width, &many, &many).is_err(), "{what}: no room");
    }
}

fn some(random: &mut SplitMix64, count: usize) -> Rows {
    let mut numbers = || (0..count).map(|_| random.fraction() as f32).collect();
    (numbers(), numbers())
}
