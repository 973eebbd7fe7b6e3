//! The cache that copies, and the trait of both.

use ch02_kv_cache::cache::{BasicCache, CacheError, KvCache, Mode};
use ground::config::Config;
use test_support::laws::laws;

#[path = "kinds.rs"]
mod kinds;
#[path = "passes_of.rs"]
mod passes_of;
type Cache = BasicCache;
use kinds::{Tried, refuses, write};

fn new_cache(config: &Config, _: usize) -> BasicCache {
    BasicCache::new(config.layers, config.kv_heads * config.head_dim)
}

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

#[test]
fn a_cache_does_not_print_its_numbers() {
    let file = ground::embedded::tiny_qwen3().expect("the embedded model opens");
    let config = Config::from_gguf(&file).expect("its config is sound");
    let mut cache = new_cache(&config, 1);
    for layer in 0..config.layers {
        write(&mut cache, layer, 1, 1.0);
    }
    cache.advance(1);
    let cache: Box<dyn KvCache> = Box::new(cache);
    let shown = format!("{cache:?}");
    assert!(shown.contains("basic") && shown.contains("length: 1"), "{shown}");
    assert!(!shown.contains("1.0"), "a cache does not print its numbers: {shown}");
}

/// A mode makes its kind of cache, as large as it may become.
#[test]
fn a_mode_makes_its_cache() {
    let file = ground::embedded::tiny_qwen3().expect("the embedded model opens");
    let config = Config::from_gguf(&file).expect("its config is sound");
    assert!(Mode::Off.cache(&config, 9).expect("nothing is asked for").is_none());
    for (mode, kind, capacity) in
        [(Mode::Basic, "basic", None), (Mode::Contiguous, "contiguous", Some(9))]
    {
        let cache = mode.cache(&config, 9).expect("there is memory").expect("a cache");
        assert_eq!((cache.shape().kind, cache.shape().capacity), (kind, capacity));
    }
    let refused = Mode::Contiguous.cache(&config, 1 << 50).expect_err("too much");
    let bytes = (1 << 50) * 2 * 6 * 3 * 64 * 4;
    assert_eq!(refused, CacheError::Memory { positions: 1 << 50, bytes });
}
