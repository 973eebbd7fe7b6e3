//! What every kind of cache must do: tried on each by the part that brings it, which calls it `Cache`.

use ch02_kv_cache::cache::*; // on the first pages without a trait
use ndarray::{Array2, ArrayView2};
use test_support::laws::Kept;

use super::Cache;

/// A cache on which the laws are tried.
pub struct Tried(pub Cache);

impl Kept for Tried {
    fn write(
        &mut self,
        layer: usize,
        width: usize,
        k: &[f32],
        v: &[f32],
    ) -> Result<(), String> {
        let shape = (k.len() / width, width);
        let k = ArrayView2::from_shape(shape, k).expect("whole rows");
        let shape = (v.len() / width, width);
        let v = ArrayView2::from_shape(shape, v).expect("whole rows");
        self.0.write(layer, (k, v)).map_err(|error| error.to_string())
    }

    fn advance(&mut self, rows: usize) {
        self.0.advance(rows);
    }

    fn rows(&self, layer: usize, count: usize) -> Result<(Vec<f32>, Vec<f32>), String> {
        let (k, v) = self.0.view(layer, count).map_err(|error| error.to_string())?;
        Ok((k.iter().copied().collect(), v.iter().copied().collect()))
    }

    fn truncate(&mut self, length: usize) {
        self.0.truncate(length);
    }

    fn length(&self) -> (usize, Option<usize>) {
        (self.0.shape().length, self.0.shape().capacity)
    }
}

fn filled(rows: usize, width: usize, value: f32) -> Array2<f32> {
    Array2::from_elem((rows, width), value)
}

pub fn write(cache: &mut Cache, layer: usize, rows: usize, value: f32) {
    let (k, v) =
        (filled(rows, cache.shape().width, value), filled(rows, cache.shape().width, -value));
    cache.write(layer, (k.view(), v.view())).expect("the rows fit");
}

/// Refuses what cannot be written, and nothing changes. The cache has two layers, rows of three numbers, and room for two
/// if it has a limit.
pub fn refuses(cache: &mut Cache) {
    write(cache, 0, 1, 1.0);
    write(cache, 1, 1, 1.0);
    cache.advance(1);
    let before = cache.shape();
    let (ok, wide, two) = (filled(1, 3, 9.0), filled(1, 4, 9.0), filled(2, 3, 9.0));
    let refused = cache.write(2, (ok.view(), ok.view()));
    assert_eq!(refused, Err(CacheError::Layer { layer: 2, layers: 2 }));
    let refused = cache.write(0, (ok.view(), wide.view()));
    assert_eq!(refused, Err(CacheError::Width { found: 4, expected: 3 }));
    let refused = cache.write(0, (two.view(), ok.view()));
    assert_eq!(refused, Err(CacheError::Rows { keys: 2, values: 1 }));
    if let Some(capacity) = before.capacity {
        let refused = cache.write(0, (two.view(), two.view()));
        assert_eq!(refused, Err(CacheError::Full { length: 1, rows: 2, capacity }));
    }
    let unwritten = CacheError::Unwritten { layer: 0, count: 2, written: 1 };
    assert_eq!(cache.view(0, 2).err(), Some(unwritten));
    assert_eq!(cache.view(7, 1).err(), Some(CacheError::Layer { layer: 7, layers: 2 }));
    assert_eq!(cache.shape(), before);
    assert_eq!(cache.view(0, 1).expect("as before").0, filled(1, 3, 1.0));
}
