//? recognised: is a guess
//? why: Takes room for 100,000 numbers, "which is always enough". At the size of a real conversation it is not, and the rows move.

use exercise_kit::cache::CacheFull;

pub struct FixedCache {
    numbers: Vec<f32>,
    capacity: usize,
    width: usize,
}

impl FixedCache {
    pub fn new(capacity: usize, width: usize) -> FixedCache {
        FixedCache { numbers: Vec::with_capacity(100_000), capacity, width }
    }
    pub fn install(&mut self, rows: &[f32]) -> Result<(), CacheFull> {
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
