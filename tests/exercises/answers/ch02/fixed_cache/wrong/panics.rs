//? recognised: a panic instead of the error
//? why: Lets `copy_from_slice` panic where an error was promised. A server would lose all its conversations for one that is too long.

use exercise_kit::cache::CacheFull;

pub struct FixedCache {
    numbers: Vec<f32>,
    used: usize,
}

impl FixedCache {
    pub fn new(capacity: usize, width: usize) -> FixedCache {
        FixedCache { numbers: vec![0.0; capacity * width], used: 0 }
    }
    pub fn install(&mut self, rows: &[f32]) -> Result<(), CacheFull> {
        self.numbers[self.used..self.used + rows.len()].copy_from_slice(rows);
        self.used += rows.len();
        Ok(())
    }
    pub fn rows(&self) -> &[f32] {
        &self.numbers[..self.used]
    }
}
