//! The model with the contiguous cache: prefill, decode and what is between them have one body.

use ch02_kv_cache::attention::attention;
use ch02_kv_cache::cache::*; // on the first pages without a trait
use ch02_kv_cache::model::Model;
use ground::config::Config;
use ndarray::{Array2, s};
use test_support::parts::assert_same_bits;

#[path = "passes_of.rs"]
mod passes_of;
type Cache = ContiguousCache;
use passes_of::{SMALL, embedded, look, small};

fn contiguous(layers: usize, width: usize, capacity: usize) -> ContiguousCache {
    ContiguousCache::new(layers, width, capacity).expect("there is memory")
}

fn new_cache(config: &Config, positions: usize) -> ContiguousCache {
    contiguous(config.layers, config.kv_heads * config.head_dim, positions)
}

#[test]
fn a_forward_pass_checks_before_it_writes() {
    let (_, model) = embedded();
    let config = &model.config;
    let mut cache = contiguous(config.layers, config.kv_heads * config.head_dim, 3);
    model.forward(&[1, 2], 0, Some(&mut cache)).expect("two of three positions");
    let before = cache.shape();
    assert_eq!(before.length, 2, "after a pass over two tokens the cache has two positions");
    let refused = model.forward(&[3], 1, Some(&mut cache));
    assert_eq!(refused, Err(CacheError::Position { position: 1, length: 2 }));
    let refused = model.forward(&[3], 3, Some(&mut cache));
    assert_eq!(refused, Err(CacheError::Position { position: 3, length: 2 }));
    let refused = model.forward(&[3, 4], 2, Some(&mut cache));
    assert_eq!(refused, Err(CacheError::Full { length: 2, rows: 2, capacity: 3 }));
    assert_eq!(cache.shape(), before, "a refused pass leaves every layer as it was");
    model.forward(&[3], 2, Some(&mut cache)).expect("the last position");

    let mut other = contiguous(config.layers + 1, 8, 3);
    let refused = model.forward(&[1], 0, Some(&mut other));
    assert!(matches!(refused, Err(CacheError::OtherModel { .. })), "{refused:?}");
    assert_eq!(other.shape().length, 0);
}

/// One attention layer of a judged model, over made-up rows.
struct OneLayer {
    model: Model,
    x: Array2<f32>, // [5, hidden]
}

impl OneLayer {
    fn new() -> OneLayer {
        let model = small(SMALL[1]);
        let x = Array2::from_shape_fn((5, model.config.hidden), |(row, column)| {
            ((row * 31 + column * 7) % 23) as f32 / 11.0 - 1.0
        });
        OneLayer { model, x }
    }

    fn config(&self) -> Config {
        Config { layers: 1, ..self.model.config.clone() }
    }

    fn attend(&self, from: usize, to: usize, cache: Lent) -> Array2<f32> {
        let layer = &self.model.weights.layers[0];
        let rows = self.x.slice(s![from..to, ..]);
        attention(rows, 0, layer, &self.model.config, from, cache).expect("there is room")
    }
}

#[test]
fn five_tokens_at_once_are_four_and_one_are_two_and_one_and_one_and_one() {
    let one = OneLayer::new();
    let whole = one.attend(0, 5, None);
    for chunks in [vec![5], vec![4, 1], vec![2, 1, 1, 1], vec![1, 4]] {
        let mut cache = new_cache(&one.config(), 5);
        let mut from = 0;
        for &rows in &chunks {
            let found = one.attend(from, from + rows, Some(&mut cache));
            cache.advance(rows);
            let expected = whole.slice(s![from..from + rows, ..]);
            let what = format!("attention alone, chunks of {chunks:?}, rows from {from} on");
            assert_same_bits(found.view(), expected, &look(&what));
            from += rows;
        }
    }
}
