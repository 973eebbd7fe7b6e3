use std::fmt;

use ndarray::{Array3, ArrayView2, s};

use super::{CacheError, KvCache, Rows, check_layer, check_view, check_write, describe};

/// Room for every position from the start: a row is written in place, and nothing ever moves.
#[derive(Clone)]
pub struct ContiguousCache {
    length: usize,
    written: Vec<usize>, // by each layer: `length` rows, and in a forward pass its new ones
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
    fn kind(&self) -> &'static str {
        "contiguous"
    }

    fn layers(&self) -> usize {
        self.k.dim().0
    }

    fn width(&self) -> usize {
        self.k.dim().2
    }

    fn length(&self) -> usize {
        self.length
    }

    fn capacity(&self) -> Option<usize> {
        Some(self.k.dim().1)
    }

    fn memory_bytes(&self) -> usize {
        (self.k.len() + self.v.len()) * size_of::<f32>()
    }

    fn write(
        &mut self,
        layer: usize,
        k: ArrayView2<f32>,
        v: ArrayView2<f32>,
    ) -> Result<(), CacheError> {
        check_write(self, layer, k, v)?;
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

    fn view(&self, layer: usize, rows: usize) -> Result<Rows<'_>, CacheError> {
        check_layer(self, layer)?;
        check_view(layer, rows, self.written[layer])?;
        Ok((self.k.slice(s![layer, ..rows, ..]), self.v.slice(s![layer, ..rows, ..])))
    }

    fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
        self.written.fill(self.length);
    }

    fn snapshot(&self) -> Box<dyn KvCache> {
        Box::new(self.clone())
    }
}

impl fmt::Debug for ContiguousCache {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        describe(self, f)
    }
}
