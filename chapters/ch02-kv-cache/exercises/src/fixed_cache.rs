//! A cache that never moves, and an error that changes nothing
//!
//! A cache of one layer: at most `capacity` rows of `width` numbers, in memory that is taken once.
//!
//! - `new(capacity, width)`: an empty cache.
//! - `install(rows)`: appends one row or several; `rows` is `[n, width]`, row-major. If they do not all fit, nothing is
//!   written, and the error is `CacheFull { length, adding, capacity }`: the rows so far, the rows that were to
//!   be added, and the rows that fit in all, each a `usize`.
//! - `rows()`: the rows so far, `[length, width]`, as a view: no copy, and always at the same address.
//!
//! Level: core, about 45 minutes.
//! Read: "Room for the whole reply", in the book at ch02/cache.html.
//! Run: `cargo run -- watch fixed_cache`, or once: `cargo test -p ch02-exercises fixed_cache`.
//! Stuck: `cargo run -- hint fixed_cache`. Done: `cargo run -- solution fixed_cache`. Start over: `cargo run -- reset fixed_cache`.

use exercise_kit::cache::CacheFull;

pub struct FixedCache {
    // The fields are yours to choose.
}

impl FixedCache {
    pub fn new(capacity: usize, width: usize) -> FixedCache {
        todo!()
    }

    pub fn install(&mut self, rows: &[f32]) -> Result<(), CacheFull> {
        todo!()
    }

    pub fn rows(&self) -> &[f32] {
        todo!()
    }
}

// The test. It stays here.
exercise_kit::exercise!(check(FixedCache::new, FixedCache::install, FixedCache::rows) in "../../../../tests/exercises/answers/ch02/fixed_cache.rs");
