//! How fast lone queries read keys and values, by depth: attention of all layers of the official model, without weights. In
//! turn with a test of how fast memory can be read, so that a slow minute hits both.
//!
//! `cargo run --release -p ch08-f16-cache --example depth [-- REPEATS]`

use std::time::Instant;

use ch08_f16_cache::attention::attend;
use ch08_f16_cache::backend::Backend;
use ch08_f16_cache::cache::{ContiguousCache, KvCache, KvType};
use ch08_f16_cache::compute::ComputeContext;
use ch08_f16_cache::kernels::BLOCK_SIZE;
use ground::config::Config;
use ground::embedded::tiny_qwen3;
use ground::error::Error;
use ground::machine::{Machine, read_bandwidth_of, usable_cores};
use ground::random::SplitMix64;
use ndarray::Array2;
use serde_json::{Map, Value, json};

const DEPTHS: [usize; 8] = [128, 512, 1024, 2048, 4096, 8192, 12288, 16384];
const LAYERS: usize = 28;

fn main() -> Result<(), Error> {
    let repeats: usize =
        std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(9);
    let file = tiny_qwen3()?;
    let config = Config { heads: 16, kv_heads: 8, head_dim: 128, ..Config::from_gguf(&file)? };
    let mut random = SplitMix64::new(8);
    let mut numbers = |rows: usize, width: usize| {
        Array2::from_shape_simple_fn((rows, width), || random.fraction() as f32 - 0.5)
    };
    let q = numbers(1, config.heads * config.head_dim);
    let (k, v) = (numbers(BLOCK_SIZE, 1024), numbers(BLOCK_SIZE, 1024));
    let mut told = Map::new();
    for kv_type in [KvType::F32, KvType::F16] {
        // Of each layer the same rows again and again: it is memory that counts, not what is in it.
        let last = DEPTHS[DEPTHS.len() - 1];
        let heads = (config.kv_heads, config.head_dim);
        let mut cache = ContiguousCache::new(kv_type, LAYERS, heads, Some(last))?;
        for _ in 0..last / BLOCK_SIZE {
            for layer in 0..LAYERS {
                cache.write(layer, (k.view(), v.view()))?;
            }
            cache.advance(BLOCK_SIZE);
        }
        let mut of_type = Map::new();
        for threads in 1..=usable_cores().min(2) {
            let compute = ComputeContext::new(Backend::choose("auto")?, threads)?;
            let mut of_threads = Map::new();
            for depth in DEPTHS {
                let blocks: Vec<Vec<_>> = (0..LAYERS)
                    .map(|layer| {
                        (0..depth / BLOCK_SIZE).map(|block| cache.block(layer, block)).collect()
                    })
                    .collect::<Result<_, _>>()?;
                let bytes = LAYERS * depth * 2 * kv_type.row_bytes(1024);
                let (mut ms, mut read, mut share) = (Vec::new(), Vec::new(), Vec::new());
                for repeat in 0..repeats + 1 {
                    let start = Instant::now();
                    for blocks in &blocks {
                        compute.buffers.put(attend(
                            &compute,
                            q.view(),
                            blocks,
                            depth - 1,
                            usize::MAX,
                            &config,
                        ));
                    }
                    let seconds = start.elapsed().as_secs_f64();
                    // The first run of anything is slower.
                    let Some(bandwidth) =
                        (repeat > 0).then(|| read_bandwidth_of(threads)).flatten()
                    else {
                        continue;
                    };
                    ms.push(seconds * 1e3);
                    read.push(bytes as f64 / seconds / 1e9);
                    share.push(100.0 * bytes as f64 / seconds / bandwidth);
                }
                eprintln!(
                    "{kv_type:?}, {threads} threads, {depth}: {:.1?} ms",
                    median(&mut ms)
                );
                of_threads.insert(
                    depth.to_string(),
                    json!({ "ms": spread(ms), "gb_per_second": spread(read), "percent_of_read_test": spread(share) }),
                );
            }
            of_type.insert(threads.to_string(), of_threads.into());
        }
        told.insert(format!("{kv_type:?}").to_lowercase(), of_type.into());
    }
    told.insert("machine".into(), json!(Machine::describe()));
    println!("{:#}", Value::from(told));
    Ok(())
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn spread(mut values: Vec<f64>) -> Value {
    let raw = values.clone();
    let median = median(&mut values);
    json!({ "median": median, "min": values[0], "max": values[values.len() - 1], "raw": raw })
}
