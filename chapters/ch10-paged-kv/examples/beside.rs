//! A table beside one contiguous cache, as chapter 9 has it: one model reads and writes with both of them in turn, chunk by
//! chunk and token by token. Prints, in JSON, the milliseconds of each pair: contiguous, table.
//!
//! cargo run --release -p ch10-paged-kv --example beside -- FILE.gguf

use std::error::Error;
use std::ops::Range;
use std::time::Instant;

use ch10_paged_kv::backend::Backend;
use ch10_paged_kv::block_pool::BlockPool;
use ch10_paged_kv::block_table::BlockTable;
use ch10_paged_kv::cache::{KvCache, KvType, Mode};
use ch10_paged_kv::compute::ComputeContext;
use ch10_paged_kv::how::PREFILL_CHUNK;
use ch10_paged_kv::kernels::BLOCK_SIZE;
use ch10_paged_kv::model::Model;
use ground::config::Config;
use ground::gguf::Gguf;
use serde_json::json;

/// Of single tokens, one is too short to compare.
const STEPS: usize = 16;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("expected a model file")?;
    let file = Gguf::open(path.as_ref())?;
    let compute = ComputeContext::new(Backend::choose("auto")?, 2)?;
    let model = Model::load(&file, Config::from_gguf(&file)?, compute, KvType::F16)?;
    let mut found = serde_json::Map::new();
    for (depth, readings, writings) in [(512, 7, 4), (4096, 1, 16)] {
        let positions = depth + STEPS;
        let pool = BlockPool::new(&model.config, model.kv_type, positions.div_ceil(BLOCK_SIZE));
        let cache = Mode::Contiguous.cache(&model.config, model.kv_type, positions)?;
        let table = Box::new(BlockTable::new(&pool));
        let mut both =
            Both { model: &model, caches: [cache.ok_or("a cache")?, table], turn: 0 };
        let [mut read, mut written] = [Vec::new(), Vec::new()];
        for _ in 0..readings {
            both.caches.iter_mut().for_each(|cache| cache.truncate(0));
            for from in (0..depth).step_by(PREFILL_CHUNK.get()) {
                read.push(both.forward(from..from + PREFILL_CHUNK.get())?);
            }
            for _ in 0..writings {
                both.caches.iter_mut().for_each(|cache| cache.truncate(depth));
                let mut all = [0.0; 2];
                for at in depth..positions {
                    let one = both.forward(at..at + 1)?;
                    all = [all[0] + one[0], all[1] + one[1]];
                }
                written.push(all);
            }
        }
        found.insert(depth.to_string(), json!({ "read": read, "written": written }));
    }
    println!("{}", json!({ "chunk": PREFILL_CHUNK, "steps": STEPS, "pairs": found }));
    Ok(())
}

struct Both<'a> {
    model: &'a Model<'a>,
    caches: [Box<dyn KvCache>; 2],
    turn: usize,
}

impl Both<'_> {
    /// The tokens of these positions, with one cache and with the other: each comes first every other time.
    fn forward(&mut self, positions: Range<usize>) -> Result<[f64; 2], Box<dyn Error>> {
        let vocab = self.model.config.vocab;
        let ids = positions.clone().map(|at| ((at * 7919 + 13) % vocab) as u32);
        let ids: Vec<u32> = ids.collect();
        let (mut took, mut logits) = ([0.0; 2], [const { Vec::new() }; 2]);
        self.turn += 1;
        for which in [self.turn % 2, (self.turn + 1) % 2] {
            let cache = Some(&mut *self.caches[which]);
            let start = Instant::now();
            let found = self.model.forward(&ids, positions.start, cache, &mut |_| true)?;
            took[which] = start.elapsed().as_secs_f64() * 1e3;
            logits[which] = found.ok_or("nobody ends it")?;
        }
        assert!(logits[0] == logits[1], "other bits in a table");
        Ok(took)
    }
}
