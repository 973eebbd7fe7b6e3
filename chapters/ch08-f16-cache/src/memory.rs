use std::fmt;

use ground::config::Config;
use serde::Serialize;

use crate::cache::{KvType, Mode};
use crate::how::How;
use crate::kernels::BLOCK_SIZE;
use crate::model::Model;

/// The most memory that a run will need, in bytes, known before its first pass.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Memory {
    pub program: usize, // with the tokenizer; measured, where the system tells
    pub weights: usize, // when all of them have been read
    pub cache: usize,
    pub chunk: usize,   // what a layer makes of a chunk of the prompt
    pub scores: usize,  // of a lone query, which writes all of them down
    pub threads: usize, // what each needs for itself
    pub logits: usize,
    pub total: usize,
}

/// Stack, and tiles on the heap.
const THREAD: usize = 2 << 20;

impl Memory {
    pub fn new(model: &Model, how: &How, positions: usize, program: u64) -> Memory {
        let Model { config, weights, compute, kv_type, .. } = model;
        let whole = positions.saturating_add(BLOCK_SIZE - 1) / BLOCK_SIZE * BLOCK_SIZE;
        let cache = kv_bytes_per_position(config, *kv_type).saturating_mul(whole);
        let chunk = positions.min(how.prefill_chunk.get());
        let (rows, cache) = match how.kv {
            // A layer's rows may not have gone yet when the next layer's come.
            // Each pass is a row longer, and what the last one gave back is too short for it.
            Mode::Off => (positions.saturating_mul(2), cache / config.layers * 2),
            // It grows by doubling, and a layer's old rows stay until they have been copied.
            Mode::Basic => (chunk, cache.saturating_mul(2)),
            Mode::Contiguous => (chunk, cache),
        };
        let (hidden, ffn) = (config.hidden, config.ffn);
        let (query, key) = (config.heads * config.head_dim, config.kv_heads * config.head_dim);
        // x, its two norms, what attention and MLP add; q, mixed, k, v; gate, up; its angles.
        let numbers = 5 * hidden + 2 * query + 2 * key + 2 * ffn + config.head_dim;
        // The input of a product is copied once more: as f32, as bytes with their scales, or as both.
        let copied = 6 * hidden.max(query).max(ffn);
        let (program, weights) = (program as usize, weights.in_memory());
        let chunk = rows.saturating_mul(numbers * size_of::<f32>() + copied);
        let scores = positions.saturating_mul(config.heads * size_of::<f32>());
        let threads = compute.threads() * THREAD;
        let logits = config.vocab * size_of::<f32>();
        let parts = [program, weights, cache, chunk, scores, threads, logits];
        let total = parts.into_iter().fold(0, usize::saturating_add);
        Memory { program, weights, cache, chunk, scores, threads, logits, total }
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let &Memory { program, weights, cache, chunk, scores, threads, logits, total } = self;
        let [program, weights, cache, chunk, scores, threads, logits, total] =
            [program, weights, cache, chunk, scores, threads, logits, total]
                .map(|bytes| bytes as f64 / 1e6);
        write!(
            f,
            "{total:.1} MB: program {program:.1}, weights {weights:.1}, cache {cache:.1}, \
             a chunk {chunk:.1}, scores {scores:.1}, threads {threads:.1}, logits {logits:.1}"
        )
    }
}

/// The keys and values that attention reads for each earlier position.
pub fn kv_bytes_per_position(config: &Config, kv_type: KvType) -> usize {
    2 * config.layers * config.kv_heads * kv_type.row_bytes(config.head_dim)
}
