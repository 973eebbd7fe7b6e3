//? recognised: moved to another address
//? why: Takes the memory with the first install. A view of the empty cache is then out of date, and the first token pays for the allocation.

use exercise_kit::cache::CacheFull;

pub struct FixedCache {
    numbers: Vec<f32>,
    capacity: usize,
    width: usize,
}

impl FixedCache {
    pub fn new(capacity: usize, width: usize) -> FixedCache {
        FixedCache { numbers: Vec::new(), capacity, width }
    }
    pub fn install(&mut self, rows: &[f32]) -> Result<(), CacheFull> {
        self.numbers.reserve_exact(self.capacity * self.width - self.numbers.len());
        let length = self.numbers.len() / self.width;
        let adding = rows.len() / self.width;
        if length + adding > self.capacity {
            return Err(CacheFull { length, adding, capacity: self.capacity });
        }
        self.numbers.extend_from_slice(rows);
        Ok(())
    }
    pub fn rows(&self) -> &[f32] {
        &self.numbers
    }
}
