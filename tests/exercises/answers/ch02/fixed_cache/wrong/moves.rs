//? recognised: moved to another address
//? why: Builds a new array for every install. All old rows are copied each time, and every view of them is out of date.

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
        let length = self.numbers.len() / self.width;
        let adding = rows.len() / self.width;
        if length + adding > self.capacity {
            return Err(CacheFull { length, adding, capacity: self.capacity });
        }
        let longer = [&self.numbers[..], rows].concat();
        self.numbers = longer;
        Ok(())
    }
    pub fn rows(&self) -> &[f32] {
        &self.numbers
    }
}
