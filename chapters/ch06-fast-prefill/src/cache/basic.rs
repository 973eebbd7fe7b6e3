use ndarray::{Array2, ArrayView2, Axis, concatenate, s};

use super::check::{CacheError, check_block, check_layer, check_write};
use super::{KvCache, Rows, Shape};

/// The obvious cache: appending rows makes a new matrix that is a few rows longer.
pub struct BasicCache {
    width: usize,
    length: usize,
    layers: Vec<(Array2<f32>, Array2<f32>)>, // keys and values, each [positions, width]
}

impl BasicCache {
    pub fn new(layers: usize, width: usize) -> BasicCache {
        let empty = Array2::zeros((0, width));
        BasicCache { width, length: 0, layers: vec![(empty.clone(), empty); layers] }
    }
}

impl KvCache for BasicCache {
    fn shape(&self) -> Shape {
        let numbers: usize = self.layers.iter().map(|(k, v)| k.len() + v.len()).sum();
        Shape {
            kind: "basic",
            layers: self.layers.len(),
            width: self.width,
            length: self.length,
            capacity: None,
            memory_bytes: numbers * size_of::<f32>(),
        }
    }

    fn write(&mut self, layer: usize, (k, v): Rows) -> Result<(), CacheError> {
        check_write(&self.shape(), layer, (k, v))?;
        let append = |old: &Array2<f32>, new: ArrayView2<f32>| {
            let complete = old.slice(s![..self.length, ..]);
            concatenate(Axis(0), &[complete, new]).expect("all rows have the cache's width")
        };
        let (old_k, old_v) = &self.layers[layer];
        self.layers[layer] = (append(old_k, k), append(old_v, v));
        Ok(())
    }

    fn advance(&mut self, rows: usize) {
        self.length += rows;
        let complete = self.layers.iter().all(|(k, _)| k.nrows() == self.length);
        assert!(complete, "every layer writes before the cache advances");
    }

    fn block(&self, layer: usize, index: usize) -> Result<Rows<'_>, CacheError> {
        check_layer(&self.shape(), layer)?;
        let (k, v) = &self.layers[layer];
        let rows = check_block(layer, index, k.nrows())?;
        Ok((k.slice(s![rows.clone(), ..]), v.slice(s![rows, ..])))
    }

    fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
        for (k, v) in &mut self.layers {
            *k = k.slice(s![..self.length, ..]).to_owned();
            *v = v.slice(s![..self.length, ..]).to_owned();
        }
    }
}
