//! How long a token takes far into a text, of a model with windows and of the same model without. In turn, so that a slow
//! minute hits both.
//!
//! `cargo run --release -p ch15-families --example window -- FILE [REPEATS]`

use std::error::Error;
use std::fs;
use std::time::Instant;

use ch15_families::backend::Backend;
use ch15_families::cache::{ContiguousCache, KvCache, KvType};
use ch15_families::compute::ComputeContext;
use ch15_families::kernels::BLOCK_SIZE;
use ch15_families::layers::Layers;
use ch15_families::model::Model;
use ground::gguf::Gguf;
use ground::machine::{Machine, usable_cores};
use ground::random::SplitMix64;
use ndarray::Array2;
use serde_json::{Map, Value, json};

const DEPTHS: [usize; 4] = [512, 2048, 4096, 8192];
const KEY: &[u8] = b"gemma3.attention.sliding_window";

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let bytes = fs::read(arguments.next().ok_or("which file?")?)?;
    let repeats: usize = arguments.next().map_or(Ok(15), |text| text.parse())?;
    let files = [Gguf::from_vec(bytes.clone())?, Gguf::from_vec(without_window(bytes)?)?];
    let threads = usable_cores().min(2);
    let load = |file| -> Result<Model, Box<dyn Error>> {
        let compute = ComputeContext::new(Backend::choose("auto")?, threads)?;
        Ok(Layers::load(file, compute, KvType::F16)?.1)
    };
    let models = [load(&files[0])?, load(&files[1])?];

    let config = &models[0].config;
    let heads = (config.kv_heads, config.head_dim);
    let mut random = SplitMix64::new(15);
    let rows = Array2::from_shape_simple_fn((BLOCK_SIZE, heads.0 * heads.1), || {
        random.fraction() as f32 - 0.5
    });
    // What is in the rows doesn't matter, only that they are read.
    let most = DEPTHS[DEPTHS.len() - 1] + 1;
    let mut cache = ContiguousCache::new(KvType::F16, config.layers, heads, Some(most))?;
    let mut told = Map::new();
    for depth in DEPTHS {
        while cache.shape().length < depth {
            for layer in 0..config.layers {
                cache.write(layer, (rows.view(), rows.view()))?;
            }
            cache.advance(BLOCK_SIZE);
        }
        let mut ms = [Vec::new(), Vec::new()];
        for repeat in 0..=repeats {
            for (model, ms) in models.iter().zip(&mut ms) {
                let start = Instant::now();
                model.forward(&[7], depth, Some(&mut cache), &mut |_| true)?;
                let took = start.elapsed().as_secs_f64() * 1e3;
                cache.truncate(depth);
                // The first one is slower.
                ms.extend((repeat > 0).then_some(took));
            }
        }
        let [window, none] = ms.map(spread);
        eprintln!("{depth}: {} and {} ms", window["median"], none["median"]);
        told.insert(
            depth.to_string(),
            json!({ "window": { "ms": window }, "none": { "ms": none } }),
        );
    }
    let about = json!({ "threads": [threads], "weights": ["Q4_K_M"], "rounds": repeats });
    let weight_bytes = models[0].weights.bytes_per_token();
    let told = json!({ "machine": Machine::describe(), "about": about, "weight_bytes": weight_bytes, "depths": told });
    println!("{told:#}");
    Ok(())
}

/// The same file, but its window is wider than any text.
fn without_window(mut bytes: Vec<u8>) -> Result<Vec<u8>, Box<dyn Error>> {
    let at =
        bytes.windows(KEY.len()).position(|bytes| bytes == KEY).ok_or("it has no window")?;
    // After the key, four bytes say that a number of four bytes follows.
    let number = at + KEY.len() + 4;
    bytes[number..number + 4].copy_from_slice(&(u32::MAX / 2).to_le_bytes());
    Ok(bytes)
}

fn spread(mut values: Vec<f64>) -> Value {
    let raw = values.clone();
    values.sort_by(f64::total_cmp);
    json!({ "median": values[values.len() / 2], "min": values[0], "max": values[values.len() - 1], "raw": raw })
}
