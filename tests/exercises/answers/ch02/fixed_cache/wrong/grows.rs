//? recognised: grew beyond its capacity

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
