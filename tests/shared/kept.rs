//! A cache as the laws of caches ask it, where rows come in blocks.

use ndarray::ArrayView2;
use test_support::laws::Kept;

use crate::engine::cache::KvCache;
use crate::engine::kernels::BLOCK_SIZE;

pub struct Tried<C>(pub C);

impl<C: KvCache> Kept for Tried<C> {
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
        let (mut keys, mut values) = (Vec::new(), Vec::new());
        for first in (0..count).step_by(BLOCK_SIZE) {
            let rows = BLOCK_SIZE.min(count - first);
            let (k, v) = crate::rows(&self.0, layer, first / BLOCK_SIZE, rows)?;
            keys.extend(k);
            values.extend(v);
        }
        Ok((keys, values))
    }

    fn truncate(&mut self, length: usize) {
        self.0.truncate(length);
    }

    fn length(&self) -> (usize, Option<usize>) {
        (self.0.shape().length, self.0.shape().capacity)
    }
}
