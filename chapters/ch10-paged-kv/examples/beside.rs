//! A table beside one contiguous cache, as chapter 9 has it: one model continues texts with both of them in turn, token by
//! token. What is before that are rows of noise: to read them takes as long. Prints, in JSON, the milliseconds of each pair:
//! contiguous, table.
//!
//! cargo run --release -p ch10-paged-kv --example beside -- FILE.gguf

use std::error::Error;
use std::time::Instant;

use ch10_paged_kv::backend::Backend;
use ch10_paged_kv::block_pool::BlockPool;
use ch10_paged_kv::block_table::BlockTable;
use ch10_paged_kv::cache::{KvCache, KvType, Mode};
use ch10_paged_kv::compute::ComputeContext;
use ch10_paged_kv::kernels::BLOCK_SIZE;
use ch10_paged_kv::model::Model;
use ground::config::Config;
use ground::gguf::Gguf;
use ground::random::SplitMix64;
use ndarray::Array2;
use serde_json::json;

/// So many tokens of each text are timed together: a single one is too short to compare.
const STEPS: usize = 16;

/// How many texts, how far they are, and how often the steps are taken.
const RUNS: [(usize, usize, usize); 4] =
    [(1, 512, 28), (1, 4096, 16), (1, 32768, 8), (16, 2048, 4)];

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("expected a model file")?;
    let file = Gguf::open(path.as_ref())?;
    let compute = ComputeContext::new(Backend::choose("auto")?, 2)?;
    let model = Model::load(&file, Config::from_gguf(&file)?, compute, KvType::F16)?;
    let mut found = serde_json::Map::new();
    for (texts, depth, rounds) in RUNS {
        let positions = depth + STEPS;
        let blocks = texts * positions.div_ceil(BLOCK_SIZE);
        let pool = BlockPool::new(&model.config, model.kv_type, blocks);
        let mut all: Vec<[Box<dyn KvCache>; 2]> = Vec::new();
        for seed in 0..texts {
            let cache = Mode::Contiguous.cache(&model.config, model.kv_type, positions)?;
            let mut both: [Box<dyn KvCache>; 2] =
                [cache.ok_or("a cache")?, Box::new(BlockTable::new(&pool))];
            for cache in &mut both {
                fill(&mut **cache, depth, seed as u64)?;
            }
            all.push(both);
        }
        let mut pairs = Vec::new();
        for round in 0..rounds {
            let mut took = [0.0; 2];
            for step in depth..positions {
                let one = steps(&model, &mut all, step, (round + step) % 2)?;
                took = [took[0] + one[0], took[1] + one[1]];
            }
            pairs.push(took);
            all.iter_mut().flatten().for_each(|cache| cache.truncate(depth));
        }
        found.insert(format!("{texts}x{depth}"), pairs.into());
    }
    println!("{}", json!({ "steps": STEPS, "pairs": found }));
    Ok(())
}

/// The same rows in each layer, block by block, so that those of a table lie as a prompt would leave them.
fn fill(cache: &mut dyn KvCache, depth: usize, seed: u64) -> Result<(), Box<dyn Error>> {
    let (layers, width) = (cache.shape().layers, cache.shape().width);
    let mut random = SplitMix64::new(seed);
    for _ in (0..depth).step_by(BLOCK_SIZE) {
        let rows =
            Array2::from_shape_fn((BLOCK_SIZE, width), |_| random.fraction() as f32 - 0.5);
        for layer in 0..layers {
            cache.write(layer, (rows.view(), rows.view()))?;
        }
        cache.advance(BLOCK_SIZE);
    }
    Ok(())
}

/// A token of every text, with caches of one kind and with those of the other.
fn steps(
    model: &Model,
    all: &mut [[Box<dyn KvCache>; 2]],
    position: usize,
    first: usize,
) -> Result<[f64; 2], Box<dyn Error>> {
    let ids = [((position * 7919 + 13) % model.config.vocab) as u32];
    let (mut took, mut logits) = ([0.0; 2], [const { Vec::new() }; 2]);
    for which in [first, 1 - first] {
        let start = Instant::now();
        for both in &mut *all {
            let cache = Some(&mut *both[which]);
            let found = model.forward(&ids, position, cache, &mut |_| true)?;
            logits[which].push(found.ok_or("nobody ends it")?);
        }
        took[which] = start.elapsed().as_secs_f64() * 1e3;
    }
    assert!(logits[0] == logits[1], "other bits in a table");
    Ok(took)
}
