use ndarray::{Array3, s};

use super::check::{CacheError, check_layer, check_view, check_write};
use super::{KvCache, Rows, Shape};

/// Room for every position from the start: rows are written in place, and nothing ever moves.
#[derive(Clone)]
pub struct ContiguousCache {
    length: usize,
    written: Vec<usize>, // rows of each layer: `length`, or more in the middle of a forward pass
    k: Array3<f32>,      // [layers, capacity, width]
    v: Array3<f32>,      // [layers, capacity, width]
}

impl ContiguousCache {
    pub fn new(layers: usize, width: usize, capacity: usize) -> ContiguousCache {
        let empty = || Array3::zeros((layers, capacity, width));
        ContiguousCache { length: 0, written: vec![0; layers], k: empty(), v: empty() }
    }
}

impl KvCache for ContiguousCache {
    fn shape(&self) -> Shape {
        let (layers, capacity, width) = self.k.dim();
        Shape {
            kind: "contiguous",
            layers,
            width,
            length: self.length,
            capacity: Some(capacity),
            memory_bytes: (self.k.len() + self.v.len()) * size_of::<f32>(),
        }
    }

    fn write(&mut self, layer: usize, (k, v): Rows) -> Result<(), CacheError> {
        check_write(&self.shape(), layer, (k, v))?;
        let rows = self.length..self.length + k.nrows();
        self.written[layer] = rows.end;
        self.k.slice_mut(s![layer, rows.clone(), ..]).assign(&k);
        self.v.slice_mut(s![layer, rows, ..]).assign(&v);
        Ok(())
    }

    fn advance(&mut self, rows: usize) {
        self.length += rows;
        let complete = self.written.iter().all(|&written| written == self.length);
        assert!(complete, "every layer writes before the cache advances");
    }

    fn view(&self, layer: usize, count: usize) -> Result<Rows<'_>, CacheError> {
        check_layer(&self.shape(), layer)?;
        check_view(layer, count, self.written[layer])?;
        Ok((self.k.slice(s![layer, ..count, ..]), self.v.slice(s![layer, ..count, ..])))
    }

    fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
        self.written.fill(self.length);
    }

    fn snapshot(&self) -> Box<dyn KvCache> {
        Box::new(self.clone())
    }
}
