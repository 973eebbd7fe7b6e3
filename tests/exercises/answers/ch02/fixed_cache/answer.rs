//? title: A cache that never moves, and an error that changes nothing
//? page: ch02/contiguous.md
//? section: Room for the whole answer
//? level: core
//? minutes: 45
//? call: check(answer::FixedCache::new, answer::FixedCache::install, answer::FixedCache::rows)
//? hint 1: Three facts describe the cache: the memory, how many rows of it are in use, and how wide a row is. Only one of them changes.
//? hint 2: Work out all that can go wrong before you write the first number. `rows.len() / width` is how many rows come in.
//? hint 3: `let start = self.length * self.width; self.numbers[start..start + rows.len()].copy_from_slice(rows);` after the test for room; `rows()` is `&self.numbers[..self.length * self.width]`.
//? why: `vec![0.0; capacity * width]` takes the memory once, and `copy_from_slice` writes into it. So neither the address nor
//?   the old rows ever move. The test for room comes before the first write. An error halfway would leave this layer a row
//?   ahead of the others, and the next token would attend to a position that does not exist.

//! A cache of one layer: at most `capacity` rows of `width` numbers, in memory that is taken once.
//!
//! - `new(capacity, width)`: an empty cache.
//! - `install(rows)`: appends one row or several; `rows` is `[n, width]`, row-major. If they do not all fit, nothing is
//!   written, and the error is `CacheFull { length, adding, capacity }`: the rows so far, the rows that were to
//!   be added, and the rows that fit in all, each a `usize`.
//! - `rows()`: the rows so far, `[length, width]`, as a view: no copy, and always at the same address.

use exercise_kit::cache::CacheFull;

pub struct FixedCache {
    //-- starter
    // // The fields are yours to choose.
    //-- solution
    numbers: Vec<f32>, // [capacity, width]
    length: usize,
    capacity: usize,
    width: usize,
    //-- end
}

impl FixedCache {
    pub fn new(capacity: usize, width: usize) -> FixedCache {
        //-- starter
        // todo!()
        //-- solution
        FixedCache { numbers: vec![0.0; capacity * width], length: 0, capacity, width }
        //-- end
    }

    pub fn install(&mut self, rows: &[f32]) -> Result<(), CacheFull> {
        //-- starter
        // todo!()
        //-- solution
        let adding = rows.len() / self.width;
        if adding > self.capacity - self.length {
            return Err(CacheFull { length: self.length, adding, capacity: self.capacity });
        }
        let start = self.length * self.width;
        self.numbers[start..start + rows.len()].copy_from_slice(rows);
        self.length += adding;
        Ok(())
        //-- end
    }

    pub fn rows(&self) -> &[f32] {
        //-- starter
        // todo!()
        //-- solution
        &self.numbers[..self.length * self.width]
        //-- end
    }
}
