//! A small cache at work, with no model: three layers, rows of four numbers. After every step, what it holds.

use std::error::Error;

use ch02_kv_cache::cache::*; // on the first pages without a trait
use ndarray::Array2;

const LAYERS: usize = 3;
const WIDTH: usize = 4;
const ROOM: usize = 7;

fn main() -> Result<(), Box<dyn Error>> {
    let mut cache = ContiguousCache::new(LAYERS, WIDTH, ROOM)?;
    println!("{:20} length  written       memory  row 0", cache.shape().kind);
    let mut place = None;
    tell("new", &cache, &mut place);
    for rows in [5, 1] {
        for layer in 0..LAYERS {
            let new = Array2::ones((rows, WIDTH));
            cache.write(layer, (new.view(), new.view()))?;
            tell(&format!("write {rows} to layer {layer}"), &cache, &mut place);
        }
        cache.advance(rows);
        tell(&format!("advance by {rows}"), &cache, &mut place);
    }
    cache.truncate(4);
    tell("truncate to 4", &cache, &mut place);

    println!();
    let (new, many) = (Array2::ones((1, WIDTH + 1)), Array2::ones((4, WIDTH)));
    for refused in [
        cache.write(0, (new.view(), new.view())).err(),
        cache.view(1, 5).err(),
        cache.write(LAYERS, (new.view(), new.view())).err(),
        cache.write(0, (many.view(), many.view())).err(),
    ] {
        println!("refused: {}", refused.map_or("nothing".into(), |error| error.to_string()));
    }
    Ok(())
}

/// One line. `place` is where the first key was in memory the last time.
fn tell(step: &str, cache: &ContiguousCache, place: &mut Option<*const f32>) {
    let shape = cache.shape();
    // The most that it is willing to show is what has been written.
    let written = |layer| (0..=ROOM).rev().find(|&count| cache.view(layer, count).is_ok());
    let rows: Vec<usize> = (0..LAYERS).filter_map(written).collect();
    let now = cache.view(0, 1).ok().map(|(k, _)| k.as_ptr());
    let moved = match (*place, now) {
        (Some(then), Some(now)) if then == now => "stays",
        (Some(_), Some(_)) => "moved",
        (None, Some(_)) => "is there",
        _ => "",
    };
    *place = now;
    let (length, bytes) = (shape.length, shape.memory_bytes);
    println!("{step:20} {length:6}  {:9}  {bytes:>4} bytes  {moved}", format!("{rows:?}"));
}
