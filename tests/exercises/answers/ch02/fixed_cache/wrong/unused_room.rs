//? recognised: the unused room
//? why: Returns the whole memory from `rows()`. Attention would mix in rows of zeros that no token wrote.

use exercise_kit::cache::CacheFull;

pub struct FixedCache {
    numbers: Vec<f32>,
    length: usize,
    width: usize,
}

impl FixedCache {
    pub fn new(capacity: usize, width: usize) -> FixedCache {
        FixedCache { numbers: vec![0.0; capacity * width], length: 0, width }
    }
    pub fn install(&mut self, rows: &[f32]) -> Result<(), CacheFull> {
        let capacity = self.numbers.len() / self.width;
        let adding = rows.len() / self.width;
        if self.length + adding > capacity {
            return Err(CacheFull { length: self.length, adding, capacity });
        }
        let start = self.length * self.width;
        self.numbers[start..start + rows.len()].copy_from_slice(rows);
        self.length += adding;
        Ok(())
    }
    pub fn rows(&self) -> &[f32] {
        &self.numbers
    }
}
