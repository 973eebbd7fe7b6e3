//! The contiguous cache: it needs only the folder `src/cache`.

use ch02_kv_cache::cache::*; // on the first pages without a trait
use test_support::laws::laws;

#[path = "kinds.rs"]
mod kinds;
type Cache = ContiguousCache;
use kinds::{Tried, refuses, write};

fn contiguous(layers: usize, width: usize, capacity: usize) -> ContiguousCache {
    ContiguousCache::new(layers, width, capacity).expect("there is memory")
}

#[test]
fn the_laws_hold_for_the_contiguous_cache() {
    laws(|layers, width, capacity| Tried(contiguous(layers, width, capacity)));
}

#[test]
fn the_shape_tells_the_memory_that_is_reserved() {
    let cache = contiguous(2, 3, 4);
    assert_eq!((cache.shape().kind, cache.shape().capacity), ("contiguous", Some(4)));
    assert_eq!(cache.shape().memory_bytes, 2 * 2 * 4 * 3 * 4, "K and V, 2 layers, 4 rows of 3");
}

#[test]
fn what_cannot_be_written_is_refused_and_nothing_changes() {
    refuses(&mut contiguous(2, 3, 2));
}

#[test]
#[should_panic(expected = "every layer writes")]
fn a_layer_that_was_left_out_is_a_bug_that_shows() {
    let mut cache = contiguous(2, 3, 4);
    write(&mut cache, 0, 1, 1.0);
    cache.advance(1);
}

#[test]
fn what_is_reserved_never_moves() {
    let mut cache = contiguous(2, 3, 4);
    let places = |cache: &ContiguousCache| {
        [0, 1].map(|layer| cache.view(layer, 0).expect("no rows").0.as_ptr())
    };
    let before = places(&cache);
    for _ in 0..4 {
        write(&mut cache, 0, 1, 1.0);
        write(&mut cache, 1, 1, 1.0);
        cache.advance(1);
        assert_eq!(places(&cache), before);
    }
}

#[test]
fn more_room_than_there_is_memory_is_an_error_of_one_line() {
    for (layers, width, capacity) in [
        (28, 1024, 1 << 50),
        (1, usize::MAX, usize::MAX), // the product is no usize
        (usize::MAX, usize::MAX, usize::MAX),
        (1, 1, usize::MAX / 8), // more bytes than one piece may have
    ] {
        let Err(refused) = ContiguousCache::new(layers, width, capacity) else {
            panic!("{layers} layers of {capacity} positions were granted");
        };
        let CacheError::Memory { positions, bytes } = refused else { panic!("{refused}") };
        assert_eq!(positions, capacity);
        let message = refused.to_string();
        assert!(message.contains(&bytes.to_string()) && message.contains("fewer"), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
}
