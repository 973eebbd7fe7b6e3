//? recognised: grew beyond its capacity
//? why: Never asks whether the rows fit. The `Vec` grows beyond the capacity, and moves.

use exercise_kit::cache::CacheFull;

pub struct FixedCache(Vec<f32>);

impl FixedCache {
    pub fn new(capacity: usize, width: usize) -> FixedCache {
        FixedCache(Vec::with_capacity(capacity * width))
    }
    pub fn install(&mut self, rows: &[f32]) -> Result<(), CacheFull> {
        self.0.extend_from_slice(rows);
        Ok(())
    }
    pub fn rows(&self) -> &[f32] {
        &self.0
    }
}
