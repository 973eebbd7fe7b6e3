//! The steps of `append`, with the cache that never moves.

use std::error::Error;

use ch02_kv_cache::cache::ContiguousCache;

#[path = "append.rs"]
#[allow(dead_code)] // its `main` is for the other cache
mod append;

fn main() -> Result<(), Box<dyn Error>> {
    append::show(&mut ContiguousCache::new(append::LAYERS, append::WIDTH, append::ROOM)?)
}
