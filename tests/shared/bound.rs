//! How near decode comes to what memory gives, with one thread and with two, for each model that the command line names. The
//! read test and the engine take turns.

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use crate::engine::backend::Backend;
use crate::engine::cache::Mode;
use crate::engine::compute::ComputeContext;
use crate::engine::model::Model;
use crate::engine::roofline::kv_bytes_per_position;
use ground::config::Config;
use ground::gguf::Gguf;
use ground::machine::{Machine, read_bandwidth_of};
use serde_json::{Map, Value, json};

const ROUNDS: usize = 15;
const STEPS: usize = 12;
const PROMPT: usize = 32;

pub fn print() -> Result<(), Box<dyn Error>> {
    let mut told = Map::new();
    told.insert("machine".into(), serde_json::to_value(Machine::describe())?);
    for path in std::env::args().skip(1) {
        let file = Gguf::open(Path::new(&path))?;
        let stored_as = file.tensor("blk.0.attn_q.weight")?.stored.name().to_lowercase();
        let mut by_threads = Map::new();
        for threads in [1, 2] {
            by_threads.insert(threads.to_string(), decode(&file, threads)?);
        }
        told.insert(stored_as, by_threads.into());
    }
    println!("{}", serde_json::to_string_pretty(&told)?);
    Ok(())
}

fn decode(file: &Gguf, threads: usize) -> Result<Value, Box<dyn Error>> {
    let compute = ComputeContext::new(Backend::choose("auto")?, threads)?;
    let model = Model::load(file, Config::from_gguf(file)?, compute)?;
    let cache = Mode::Contiguous.cache(&model.config, PROMPT + ROUNDS * STEPS)?;
    let mut cache = cache.expect("a contiguous cache");
    let ids: Vec<u32> = (0..PROMPT as u32).map(|id| 1000 + 7 * id).collect();
    model.forward(&ids, 0, Some(&mut *cache))?;
    let (mut read, mut speed, mut share) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let memory = read_bandwidth_of(threads).ok_or("no 256 MiB to read from")?;
        let mut times = Vec::new();
        for _ in 0..STEPS {
            let position = cache.shape().length;
            let start = Instant::now();
            model.forward(&ids[..1], position, Some(&mut *cache))?;
            times.push(start.elapsed().as_secs_f64());
        }
        let past = kv_bytes_per_position(&model.config) * cache.shape().length;
        let bytes = (model.weights.bytes_per_token() + past) as f64;
        let step = middle(&mut times);
        read.push(memory / 1e9);
        speed.push(1.0 / step);
        share.push(bytes / step / memory);
    }
    Ok(
        json!({ "read": spread(read), "tokens_per_second": spread(speed), "share": spread(share) }),
    )
}

fn spread(mut values: Vec<f64>) -> Value {
    let raw = values.clone();
    let median = middle(&mut values);
    json!({ "median": median, "min": values[0], "max": values[values.len() - 1], "raw": raw })
}

/// The median, of values that are sorted afterwards.
fn middle(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    (values[(values.len() - 1) / 2] + values[values.len() / 2]) / 2.0
}
