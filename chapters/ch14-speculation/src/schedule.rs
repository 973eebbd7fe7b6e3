use std::time::Duration;

use ch08_f16_cache::how::PREFILL_CHUNK;
use ch08_f16_cache::kernels::BLOCK_SIZE;

/// All that the schedule knows of a text: how many tokens it has, and how many of them have rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    pub known: usize,
    pub computed: usize,
}

impl Standing {
    pub fn lacks(&self) -> usize {
        self.known - self.computed
    }
}

/// How many rows each text gets in the next pass, the oldest text first. Whoever lacks a single row is writing, and gets it.
/// What the others lack are rows of a prompt, or rows that were taken from them: of these a pass has `budget`, and the
/// oldest are served first.
pub fn rows(texts: &[Standing], budget: usize) -> Vec<usize> {
    let mut rest = budget;
    let of_text = |text: &Standing| {
        let lacks = text.lacks();
        if lacks <= 1 {
            return lacks;
        }
        let end = text.computed + lacks.min(rest);
        // If it doesn't get to the end, it stops where a block does: only whole blocks are of use to others.
        let whole = end / BLOCK_SIZE * BLOCK_SIZE;
        let end = if end < text.known && whole > text.computed { whole } else { end };
        rest -= end - text.computed;
        end - text.computed
    };
    texts.iter().map(of_text).collect()
}

/// How many rows of prompts the next pass may have, after one that had `rows` of them. Those who write wait for the whole
/// pass, which should take no longer than `gap`. Without anybody who writes the oldest prompt gets a chunk.
pub fn budget(before: usize, rows: usize, time: Duration, gap: Duration) -> usize {
    let fits = rows as f64 * gap.as_secs_f64() / time.as_secs_f64().max(1e-6);
    // One slow pass says little.
    let near = (before / 2) as f64..=(2 * before) as f64;
    match rows {
        0 => before,
        _ => (fits.clamp(*near.start(), *near.end()) as usize).clamp(FEW, PREFILL_CHUNK.get()),
    }
}

/// A prompt goes on with so many rows, however slow they are.
pub const FEW: usize = 8;

/// And with so many for each text that there is. With fewer, some would be written to their end before others are read, and
/// there would never be many in a pass.
pub const EACH: usize = 2;
