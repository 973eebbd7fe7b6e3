//! Where the first key of layer 0 is, while two kinds of cache get the same rows.

use ch02_kv_cache::cache::{BasicCache, CacheError, ContiguousCache, KvCache};
use ndarray::Array2;

const LAYERS: usize = 3;
const WIDTH: usize = 4;

fn main() -> Result<(), CacheError> {
    let (mut basic, mut contiguous) =
        (BasicCache::new(LAYERS, WIDTH), ContiguousCache::new(LAYERS, WIDTH, 7)?);
    println!("{:10}{:22}contiguous", "", "basic");
    let mut places = [None; 2];
    for rows in [5, 1, 1] {
        let new = Array2::ones((rows, WIDTH));
        let caches: [&mut dyn KvCache; 2] = [&mut basic, &mut contiguous];
        let mut line = String::new();
        for (cache, place) in caches.into_iter().zip(&mut places) {
            for layer in 0..LAYERS {
                cache.write(layer, (new.view(), new.view()))?;
            }
            cache.advance(rows);
            let now = cache.view(0, 1)?.0.as_ptr();
            let moved = match place.replace(now) {
                None => "is there",
                Some(before) if before == now => "stays",
                Some(_) => "moved",
            };
            line += &format!("{:3} bytes  {moved:11}", cache.shape().memory_bytes);
        }
        println!("{} rows    {}", basic.shape().length, line.trim_end());
    }
    Ok(())
}
