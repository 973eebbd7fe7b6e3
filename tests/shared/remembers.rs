//! A model that only remembers: it writes each token into its row, and its logits are a hash of all tokens that it reads back
//! through the cache. A row in the wrong place, a block of another text, a token read twice, a row of a wrong guess that is
//! left there: each leads to other logits. Chapter 9 prints it.

use ground::config::Config;
use ground::embedded::tiny_qwen3;
use ground::random::SplitMix64;
use ndarray::Array2;

use crate::engine::cache::{CacheError, KvCache};
use crate::engine::kernels::BLOCK_SIZE;

// ANCHOR: model
/// It has as many tokens as this, and a row of sixteen numbers.
pub const VOCAB: usize = 97;

/// A hash of what was read, and the last two tokens: the logits follow from them.
pub type Read = (u64, [f32; 2]);

/// Writes these tokens into rows of their own and reads all rows back: what they come to, up to each of them.
pub fn remember(ids: &[u32], cache: &mut dyn KvCache) -> Result<Vec<Read>, CacheError> {
    let start = cache.shape().length;
    let rows = Array2::from_shape_fn((ids.len(), 16), |(row, column)| match column {
        0 => ids[row] as f32,
        1 => (start + row) as f32,
        _ => 0.0,
    });
    cache.write(0, (rows.view(), rows.view()))?;
    cache.advance(ids.len());
    let (mut all, mut last, mut read) = (0, None, Vec::new());
    for index in 0..(start + ids.len()).div_ceil(BLOCK_SIZE) {
        let block = cache.block(0, index)?;
        for row in block.head::<f32>(0, 16).0.chunks(16).take(block.rows) {
            all = hash(hash(all, row[0]), row[1]);
            read.push((all, [last.unwrap_or(row[0]), row[0]]));
            last = Some(row[0]);
        }
    }
    Ok(read)
}

fn hash(hash: u64, number: f32) -> u64 {
    (hash ^ u64::from(number.to_bits())).wrapping_mul(0x100_0000_01b3).rotate_left(23)
}

/// It prefers a token that depends on the two before it, so that its texts repeat themselves.
pub fn logits_of(hash: u64, last: [f32; 2]) -> Vec<f32> {
    let mut random = SplitMix64::new(hash);
    let mut logits: Vec<f32> = (0..VOCAB).map(|_| random.fraction() as f32 * 8.0).collect();
    logits[(last[0] + 3.0 * last[1]) as usize % 5 + 40] += 5.0;
    logits
}
// ANCHOR_END: model

/// What it says after these tokens, without any cache.
pub fn remembered(ids: &[u32]) -> Vec<f32> {
    let all = ids.iter().enumerate();
    let last = [ids.len().saturating_sub(2), ids.len() - 1].map(|place| ids[place] as f32);
    let all = all.fold(0, |all, (position, &id)| hash(hash(all, id as f32), position as f32));
    logits_of(all, last)
}

/// Its sizes.
pub fn remembering() -> Config {
    let file = tiny_qwen3().expect("it opens");
    let config = Config::from_gguf(&file).expect("it is sound");
    Config { layers: 1, kv_heads: 1, head_dim: 16, vocab: VOCAB, eos_ids: vec![96], ..config }
}
