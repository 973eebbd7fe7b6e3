//? title: A cache that never moves, and an error that changes nothing
//? page: ch02/cache.md
//? section: Room for the whole reply
//? level: core
//? minutes: 45
//? call: check(FixedCache::new, FixedCache::install, FixedCache::rows)
//? hint 1: Three facts describe the cache: the memory, how many rows of it are in use, and how wide a row is. Only one of them changes.
//? hint 2: Work out all that can go wrong before you write the first number. `rows.len() / width` is how many rows come in.
//? hint 3: `let start = self.length * self.width; self.numbers[start..start + rows.len()].copy_from_slice(rows);` after the test for room; `rows()` is `&self.numbers[..self.length * self.width]`.
//? why: `vec![0.0; capacity * width]` takes the memory once, and `copy_from_slice` writes into it. So neither the address nor
//?   the old rows ever move. The test for room comes before the first write. An error halfway would leave this layer a row
//?   ahead of the others, and the next token would attend to a position that does not exist.

// A cache of one layer: at most `capacity` rows of `width` numbers, in memory that is taken once.
//
// - `new(capacity, width)`: an empty cache.
// - `install(rows)`: appends one row or several; `rows` is `[n, width]`, row-major. If they do not all fit, nothing is
//   written, and the error is `CacheFull { length, adding, capacity }`: the rows so far, the rows that were to
//   be added, and the rows that fit in all, each a `usize`.
// - `rows()`: the rows so far, `[length, width]`, as a view: no copy, and always at the same address.

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

//-- check
pub mod check {
    use exercise_kit::cache::CacheFull;
    use exercise_kit::{Checked, Failure, Near, Random, call, call_or, same, same_numbers};

    const CAPACITY: usize = 5;
    const WIDTH: usize = 3;

    pub fn check<C>(
        new: fn(usize, usize) -> C,
        install: fn(&mut C, &[f32]) -> Result<(), CacheFull>,
        rows: for<'a> fn(&'a C) -> &'a [f32],
    ) -> Checked {
        let mut random = Random::new(4);
        let mut cache = call("a new cache of 5 rows, width 3", || new(CAPACITY, WIDTH))?;
        let mut expected: Vec<f32> = Vec::new();
        // Before the first row too: the memory is taken in new().
        let address = call("rows() of a new cache", || rows(&cache).as_ptr())?;
        // How many rows come; the cache has room for 5.
        for adding in [2, 1, 3, 2, 1, 0] {
            let length = expected.len() / WIDTH;
            let case = format!("install {adding} rows into a cache that holds {length} of 5");
            let incoming = random.numbers(adding * WIDTH);
            let fits = length + adding <= CAPACITY;
            let full = CacheFull { length, adding, capacity: CAPACITY };
            let wanted = if fits { Ok(()) } else { Err(full) };
            let found =
                call_or(&case, format!("{wanted:?}"), "a panic instead of the error", || {
                    install(&mut cache, &incoming)
                })?;
            let wrong = match fits {
                true => ("the last free row was refused", Err(full)),
                false => ("the cache grew beyond its capacity", Ok(())),
            };
            same(&case, &wanted, &found, &[wrong])?;

            let attempted = [expected.clone(), incoming.clone()].concat();
            let fitted = attempted[..attempted.len().min(CAPACITY * WIDTH)].to_vec();
            if fits {
                expected = attempted;
            }
            let view = call(&format!("{case}, then rows()"), || rows(&cache))?;
            let mut padded = expected.clone();
            padded.resize(CAPACITY * WIDTH, 0.0);
            same_numbers(
                &format!("{case}, then rows()"),
                &[("row", CAPACITY), ("column", WIDTH)],
                Near::Bits,
                &expected,
                view,
                &[
                    ("rows() shows the unused room too: only the rows so far", padded),
                    (
                        "an install that does not fit wrote what fitted: it must write nothing",
                        fitted,
                    ),
                ],
            )?;
            if view.as_ptr() != address {
                let (expected, found) = ("the rows stay where they are", "another address");
                return Err(Failure::new(&case, expected, found).likely(
                    "the rows moved to another address: memory was taken a second time",
                ));
            }
        }
        long(new, install, rows)
    }

    /// A conversation of 150,000 rows, one at a time: at the size of a real one memory that was guessed is too small.
    fn long<C>(
        new: fn(usize, usize) -> C,
        install: fn(&mut C, &[f32]) -> Result<(), CacheFull>,
        rows: for<'a> fn(&'a C) -> &'a [f32],
    ) -> Checked {
        let case = "150000 rows of four times -0.0, one at a time";
        // Neighbours in memory, so that the rows cannot grow where they are.
        let _before = vec![1_u8; 400_000];
        let mut cache = call(case, || new(150_000, 4))?;
        let _after = vec![1_u8; 400_000];
        let before = call(case, || rows(&cache).as_ptr())?;
        for _ in 0..150_000 {
            call(case, || install(&mut cache, &[-0.0; 4]))?
                .map_err(|full| Failure::new(case, "Ok(())", format!("Err({full:?})")))?;
        }
        let view = call(case, || rows(&cache))?;
        same_numbers(
            case,
            &[("row", 150_000), ("column", 4)],
            Near::Bits,
            &[-0.0; 600_000],
            view,
            &[],
        )?;
        if view.as_ptr() != before {
            return Err(Failure::new(case, "the rows stay where they are", "another address")
                .likely("the memory is a guess, and too small for so many rows"));
        }
        Ok(())
    }
}
