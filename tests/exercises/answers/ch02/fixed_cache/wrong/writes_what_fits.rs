//? recognised: wrote what fitted
//? why: Writes row by row until there is no room. After the error this layer has more rows than the others.

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
        for row in rows.chunks(self.width) {
            if self.numbers.len() == self.capacity * self.width {
                return Err(CacheFull { length, adding, capacity: self.capacity });
            }
            self.numbers.extend_from_slice(row);
        }
        Ok(())
    }
    pub fn rows(&self) -> &[f32] {
        &self.numbers
    }
}
