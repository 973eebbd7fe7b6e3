//! How a cache lays out its rows, and what it refuses.

use bytemuck::cast_slice;
use ch08_f16_cache::cache::{CacheError, ContiguousCache, KvCache, KvType};
use ch08_f16_cache::kernels::BLOCK_SIZE;
use ch08_f16_cache::memory::kv_bytes_per_position;
use ground::random::SplitMix64;
use ndarray::Array2;

const HEADS: usize = 3;

/// As many rows, each number another one.
fn rows(count: usize, head_dim: usize, seed: u64) -> Array2<f32> {
    let mut random = SplitMix64::new(seed);
    Array2::from_shape_simple_fn((count, HEADS * head_dim), || random.fraction() as f32)
}

/// Where a number is, said once more: in the block of its position, among those of its head, in the row of its position.
#[test]
fn a_heads_rows_follow_each_other() {
    for head_dim in [16, 20, 64] {
        let new = ContiguousCache::new(KvType::F32, 1, (HEADS, head_dim), Some(200));
        let mut cache = new.expect("there is memory");
        let (k, v) = (rows(150, head_dim, 1), rows(150, head_dim, 2));
        cache.write(0, (k.view(), v.view())).expect("there is room");
        let width = head_dim.next_multiple_of(16);
        for index in 0..3 {
            let block = cache.block(0, index).expect("it is written");
            assert_eq!(block.rows, [64, 64, 22][index], "rows of block {index}");
            for (found, expected, name) in
                [(block.keys, &k, "keys"), (block.values, &v, "values")]
            {
                let found: &[f32] = cast_slice(found);
                assert!(found.as_ptr().addr().is_multiple_of(64), "{name} begin in a line");
                assert_eq!(found.len(), HEADS * BLOCK_SIZE * width, "{name} of block {index}");
                for head in 0..HEADS {
                    for row in 0..block.rows {
                        for column in 0..width {
                            let at = (head * BLOCK_SIZE + row) * width + column;
                            let expected = match column < head_dim {
                                true => {
                                    expected
                                        [[index * BLOCK_SIZE + row, head * head_dim + column]]
                                }
                                false => 0.0, // fills the row up
                            };
                            assert_eq!(
                                found[at], expected,
                                "{name} of block {index}, head {head}, row {row}, column {column}"
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn what_is_too_large_for_sixteen_bits_is_refused_and_leaves_nothing() {
    let mut cache = made(KvType::F16, 8);
    let width = cache.shape().width;
    let fine = Array2::from_elem((2, width), 65_519.0);
    let mut large = fine.clone();
    large[[1, width - 1]] = -65_520.0;
    let refused = Err(CacheError::TooLarge { position: 1 });
    cache.write(0, (fine.view(), fine.view())).expect("the largest number stands for these");
    // The same rows once more, as after a pass that failed later.
    cache.write(1, (fine.view(), fine.view())).expect("here too");
    assert_eq!(cache.write(1, (fine.view(), large.view())), refused);
    assert_eq!(cache.write(1, (large.view(), fine.view())), refused);
    assert!(cache.block(1, 0).is_err(), "rows of a pass that failed count");
    // What is no number, or infinite, was so before.
    for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let odd = Array2::from_elem((2, width), odd);
        cache.write(1, (odd.view(), odd.view())).expect("it has sixteen bits too");
    }
    let mut wide = made(KvType::F32, 8);
    wide.write(1, (large.view(), large.view())).expect("f32 keeps all");
}

#[test]
fn what_was_cut_off_is_gone_in_every_layer() {
    let new = ContiguousCache::new(KvType::F32, 2, (HEADS, 16), None);
    let mut cache = new.expect("there is memory");
    let rows = rows(150, 16, 1);
    for layer in 0..2 {
        cache.write(layer, (rows.view(), rows.view())).expect("there is room");
    }
    cache.advance(150);
    cache.truncate(70);
    for layer in 0..2 {
        let block = cache.block(layer, 1).map(|block| block.rows);
        assert_eq!(block, Ok(6), "layer {layer}");
        assert!(cache.block(layer, 2).is_err(), "layer {layer}");
    }
}

fn config() -> ground::config::Config {
    let file = ground::embedded::tiny_qwen3().expect("the embedded model opens");
    ground::config::Config::from_gguf(&file).expect("its config is sound")
}

/// Of two layers of the embedded model.
fn made(kv_type: KvType, capacity: usize) -> ContiguousCache {
    let heads = (config().kv_heads, config().head_dim);
    ContiguousCache::new(kv_type, 2, heads, Some(capacity)).expect("there is memory")
}

#[test]
fn sixteen_bits_take_half_the_memory() {
    let bytes = |kv_type: KvType| made(kv_type, 1000).shape().memory_bytes;
    assert_eq!(bytes(KvType::F32), 2 * bytes(KvType::F16));
    // Whole blocks: 1,024 positions. Two layers, keys and values, two bytes.
    assert_eq!(bytes(KvType::F16), 1024 * 2 * 2 * config().kv_heads * config().head_dim * 2);
}

#[test]
fn a_position_takes_two_bytes_a_number() {
    let config = config();
    let numbers = 2 * config.layers * config.kv_heads * config.head_dim;
    assert_eq!(kv_bytes_per_position(&config, KvType::F32), 4 * numbers);
    assert_eq!(kv_bytes_per_position(&config, KvType::F16), 2 * numbers);
    // A row is filled up to whole sixteens, as the cache does.
    let config = ground::config::Config { layers: 2, kv_heads: HEADS, head_dim: 20, ..config };
    let cache = ContiguousCache::new(KvType::F16, 2, (HEADS, 20), Some(BLOCK_SIZE));
    let bytes = cache.expect("there is memory").shape().memory_bytes;
    assert_eq!(kv_bytes_per_position(&config, KvType::F16) * BLOCK_SIZE, bytes);
}
