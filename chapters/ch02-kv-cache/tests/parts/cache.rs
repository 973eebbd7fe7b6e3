//! The first cache: it needs only the folder `src/cache`.

use ch02_kv_cache::cache::{BasicCache, KvCache};
use test_support::laws::laws;

#[path = "kinds.rs"]
mod kinds;
use kinds::{Tried, refuses, write};

#[test]
fn the_laws_hold_for_the_basic_cache() {
    laws(|layers, width, _| Tried(BasicCache::new(layers, width)));
}

#[test]
fn the_shape_tells_the_memory_that_rows_take() {
    let mut cache = BasicCache::new(2, 3);
    assert_eq!((cache.shape().kind, cache.shape().capacity), ("basic", None));
    assert_eq!(cache.shape().memory_bytes, 0, "no rows yet, so no memory");
    write(&mut cache, 0, 1, 1.0);
    write(&mut cache, 1, 1, 1.0);
    cache.advance(1);
    assert_eq!(cache.shape().memory_bytes, 2 * 2 * 3 * 4, "K and V, 2 layers, 3 numbers");
}

#[test]
fn a_cache_can_go_to_another_thread() {
    fn needs<T: Send + Sync + ?Sized>() {}
    needs::<dyn KvCache>();
}

#[test]
fn what_cannot_be_written_is_refused_and_nothing_changes() {
    refuses(&mut BasicCache::new(2, 3));
}
