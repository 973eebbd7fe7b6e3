//! How long a pass takes with 1 to 64 rows, each of another text: what a batch costs, before anybody's past counts.
//!
//! `cargo run --release -p ch12-batching --example rows -- FILE... [REPEATS]`

use std::sync::Arc;
use std::time::Instant;

use ch12_batching::backend::Backend;
use ch12_batching::batch::forward;
use ch12_batching::batch_item::BatchItem;
use ch12_batching::block_pool::BlockPool;
use ch12_batching::block_table::BlockTable;
use ch12_batching::cache::KvType;
use ch12_batching::compute::ComputeContext;
use ch12_batching::model::Model;
use ground::config::Config;
use ground::error::Error;
use ground::gguf::Gguf;
use ground::machine::{Machine, read_bandwidth_of, usable_cores};
use serde_json::{Map, Value, json};

const ROWS: [usize; 10] = [1, 2, 3, 4, 6, 8, 12, 16, 32, 64];

fn main() -> Result<(), Error> {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let repeats = files.last().and_then(|last| last.parse().ok());
    if repeats.is_some() {
        files.pop();
    }
    let mut told = Map::new();
    for path in &files {
        let open = |source| Error::Model { path: path.into(), source };
        let file = Gguf::open(path.as_ref()).map_err(open)?;
        let mut of_threads = Map::new();
        for threads in 1..=usable_cores().min(2) {
            let compute = ComputeContext::new(Backend::choose("auto")?, threads)?;
            let model = Model::load(&file, Config::from_gguf(&file)?, compute, KvType::F16)?;
            of_threads.insert(threads.to_string(), curve(&model, repeats.unwrap_or(7)));
        }
        let stored = file.tensor("blk.0.attn_q.weight")?.stored.name();
        told.insert(stored.to_lowercase(), of_threads.into());
    }
    told.insert("machine".into(), json!(Machine::describe()));
    println!("{:#}", Value::from(told));
    Ok(())
}

/// Milliseconds by rows, all of them in turn, and how fast memory was meanwhile.
fn curve(model: &Model, repeats: usize) -> Value {
    let pool = BlockPool::new(&model.config, KvType::F16, ROWS[ROWS.len() - 1]);
    let mut ms = ROWS.map(|_| Vec::new());
    let mut read = Vec::new();
    for repeat in 0..=repeats {
        for (rows, ms) in ROWS.into_iter().zip(&mut ms) {
            let seconds = pass(model, &pool, rows);
            // The first run of anything is slower.
            ms.extend((repeat > 0).then_some(seconds * 1e3));
        }
        read.extend(read_bandwidth_of(model.compute.threads()).map(|it| it / 1e9));
    }
    let all = ROWS.into_iter().zip(ms).map(|(rows, ms)| (rows.to_string(), spread(ms)));
    json!({ "ms": all.collect::<Map<_, _>>(), "read_gb_per_second": spread(read), "backend": model.compute.backend.name(),
            "weight_bytes": model.weights.bytes_per_token() })
}

fn pass(model: &Model, pool: &Arc<BlockPool>, rows: usize) -> f64 {
    let mut tables: Vec<BlockTable> = (0..rows).map(|_| BlockTable::new(pool)).collect();
    let ids: Vec<[u32; 1]> = (0..rows as u32).map(|row| [1000 + 17 * row]).collect();
    let items =
        tables.iter_mut().zip(&ids).map(|(table, ids)| BatchItem::new(ids, table, true));
    let mut items: Vec<BatchItem> = items.collect();
    let start = Instant::now();
    let all = forward(model, &mut items);
    let seconds = start.elapsed().as_secs_f64();
    assert!(all.iter().all(Result::is_ok), "there is room for one row of each");
    seconds
}

fn spread(mut values: Vec<f64>) -> Value {
    let raw = values.clone();
    values.sort_by(f64::total_cmp);
    json!({ "median": values[values.len() / 2], "min": values[0], "max": values[values.len() - 1], "raw": raw })
}
