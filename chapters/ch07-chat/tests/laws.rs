//! The laws of caches, tried on this chapter's.

use ch07_chat::cache::{BasicCache, ContiguousCache, KvCache};
use ch07_chat::kernels::PIECE;
use course_tests::laws::{Kept, laws};
use ndarray::ArrayView2;

struct Tried<C>(C);

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
        for index in 0..count.div_ceil(PIECE) {
            let (k, v) = self.0.piece(layer, index).map_err(|error| error.to_string())?;
            assert!(k.nrows() <= PIECE && k.dim() == v.dim());
            assert!(k.as_slice().is_some() && v.as_slice().is_some(), "in one stretch");
            let rows = k.nrows().min(count - index * PIECE) * k.ncols();
            keys.extend(k.iter().take(rows));
            values.extend(v.iter().take(rows));
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

#[test]
fn the_laws_hold_for_both_caches() {
    laws(|layers, width, _| Tried(BasicCache::new(layers, width)));
    laws(|layers, width, capacity| {
        Tried(ContiguousCache::new(layers, width, capacity).expect("there is memory"))
    });
}
