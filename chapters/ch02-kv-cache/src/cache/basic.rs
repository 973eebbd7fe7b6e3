use std::fmt;

use ndarray::{Array2, ArrayView2, Axis, concatenate, s};

use super::{CacheError, KvCache, Rows, check_layer, check_view, check_write, describe};

/// The obvious cache: appending a row makes a new matrix, one row longer.
#[derive(Clone)]
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
    fn kind(&self) -> &'static str {
        "basic"
    }

    fn layers(&self) -> usize {
        self.layers.len()
    }

    fn width(&self) -> usize {
        self.width
    }

    fn length(&self) -> usize {
        self.length
    }

    fn capacity(&self) -> Option<usize> {
        None
    }

    fn memory_bytes(&self) -> usize {
        self.layers.iter().map(|(k, v)| (k.len() + v.len()) * size_of::<f32>()).sum()
    }

    fn write(
        &mut self,
        layer: usize,
        k: ArrayView2<f32>,
        v: ArrayView2<f32>,
    ) -> Result<(), CacheError> {
        check_write(self, layer, k, v)?;
        let append = |old: &Array2<f32>, new: ArrayView2<f32>| {
            concatenate(Axis(0), &[old.slice(s![..self.length, ..]), new])
                .expect("both have rows of the cache's width")
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

    fn view(&self, layer: usize, rows: usize) -> Result<Rows<'_>, CacheError> {
        check_layer(self, layer)?;
        let (k, v) = &self.layers[layer];
        check_view(layer, rows, k.nrows())?;
        Ok((k.slice(s![..rows, ..]), v.slice(s![..rows, ..])))
    }

    fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
        for (k, v) in &mut self.layers {
            *k = k.slice(s![..self.length, ..]).to_owned();
            *v = v.slice(s![..self.length, ..]).to_owned();
        }
    }

    fn snapshot(&self) -> Box<dyn KvCache> {
        Box::new(self.clone())
    }
}

impl fmt::Debug for BasicCache {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        describe(self, f)
    }
}
