use ndarray::ArrayView2;

use super::check::{CacheError, check_layer, check_view, check_write};
use super::{Rows, Shape};

/// Room for every position from the start: rows are written in place, and nothing ever moves.
pub struct ContiguousCache {
    width: usize,
    capacity: usize,
    length: usize,
    layers: Vec<(Vec<f32>, Vec<f32>)>, // keys and values, each [positions, width]
}

impl ContiguousCache {
    pub fn new(
        layers: usize,
        width: usize,
        capacity: usize,
    ) -> Result<ContiguousCache, CacheError> {
        let numbers = [2, layers, width, capacity]
            .into_iter()
            .fold(1, |all: u128, factor| all.saturating_mul(factor as u128));
        let bytes = numbers.saturating_mul(size_of::<f32>() as u128);
        let memory = |numbers: u128| {
            let mut memory: Vec<f32> = Vec::new();
            match usize::try_from(numbers).map(|numbers| memory.try_reserve_exact(numbers)) {
                Ok(Ok(())) => Ok(memory),
                _ => Err(CacheError::Memory { positions: capacity, bytes }),
            }
        };
        // Once as a whole, given back at once: vector by vector the system may promise too much.
        memory(numbers)?;
        let one = numbers / (2 * layers as u128).max(1);
        let layers =
            (0..layers).map(|_| Ok((memory(one)?, memory(one)?))).collect::<Result<_, _>>()?;
        Ok(ContiguousCache { width, capacity, length: 0, layers })
    }

    pub fn shape(&self) -> Shape {
        let numbers: usize = self.layers.iter().map(|(k, v)| k.capacity() + v.capacity()).sum();
        Shape {
            kind: "contiguous",
            layers: self.layers.len(),
            width: self.width,
            length: self.length,
            capacity: Some(self.capacity),
            memory_bytes: numbers * size_of::<f32>(),
        }
    }

    /// Writes rows of one layer from position `length` on.
    pub fn write(&mut self, layer: usize, (k, v): Rows) -> Result<(), CacheError> {
        check_write(&self.shape(), layer, (k, v))?;
        let complete = self.length * self.width;
        let append = |old: &mut Vec<f32>, new: ArrayView2<f32>| {
            old.truncate(complete);
            let new = new.as_standard_layout();
            old.extend_from_slice(new.as_slice().expect("its rows follow each other now"));
        };
        let (old_k, old_v) = &mut self.layers[layer];
        append(old_k, k);
        append(old_v, v);
        Ok(())
    }

    /// From now on the rows just written count. Every layer must have written them.
    pub fn advance(&mut self, rows: usize) {
        self.length += rows;
        let numbers = self.length * self.width;
        let complete = self.layers.iter().all(|(k, _)| k.len() == numbers);
        assert!(complete, "every layer writes before the cache advances");
    }

    /// The first `count` rows of a layer, those just written among them.
    pub fn view(&self, layer: usize, count: usize) -> Result<Rows<'_>, CacheError> {
        check_layer(&self.shape(), layer)?;
        let (k, v) = &self.layers[layer];
        check_view(layer, count, k.len() / self.width.max(1))?;
        let shape = (count, self.width);
        let rows = |numbers| ArrayView2::from_shape(shape, numbers).expect("whole rows");
        let numbers = count * self.width;
        Ok((rows(&k[..numbers]), rows(&v[..numbers])))
    }

    /// Forgets every position from `length` on, in all layers.
    pub fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
        for (k, v) in &mut self.layers {
            k.truncate(self.length * self.width);
            v.truncate(self.length * self.width);
        }
    }
}
