//? recognised: the last free row
//? why: Refuses when the cache would be full. A full cache is allowed; one row more is not.

use exercise_kit::cache::CacheFull;

pub struct FixedCache {
    numbers: Vec<f32>,
    capacity: usize,
    width: usize,
}

impl FixedCache {
    pub fn new(capacity: usize, width: usize) -> FixedCache {
        FixedCache { numbers: Vec::with_capacity(capacity * width), capacity, width }
    }
    pub fn install(&mut self, rows: &[f32]) -> Result<(), CacheFull> {
        let length = self.numbers.len() / self.width;
        let adding = rows.len() / self.width;
        if length + adding >= self.capacity {
            return Err(CacheFull { length, adding, capacity: self.capacity });
        }
        self.numbers.extend_from_slice(rows);
        Ok(())
    }
    pub fn rows(&self) -> &[f32] {
        &self.numbers
    }
}
