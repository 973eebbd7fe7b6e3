use crate::base::kernels::{BLOCK_SIZE, OnlineSoftmax};
use crate::simd::Simd;

/// The first block of which a query at this position sees a key. Those before it need not be read.
pub fn first_block(position: usize, window: usize) -> usize {
    (position + 1).saturating_sub(window) / BLOCK_SIZE
}

/// How many keys of the block that begins at `start` are too far back for a query that sees only the last `window` of
/// `keys`.
pub fn too_far(keys: usize, window: usize, start: usize) -> usize {
    keys.saturating_sub(window).saturating_sub(start).min(BLOCK_SIZE)
}

/// A step of the softmax in which the first keys of those that are `seen` are too far back: their weights are 0.
#[inline(always)]
pub fn step_within<S: Simd>(
    softmax: &mut OnlineSoftmax,
    simd: S,
    scores: &mut [f32; BLOCK_SIZE],
    (too_far, seen): (usize, usize),
    scale: f32,
) {
    let seen = if too_far < seen { seen } else { 0 };
    let too_far = too_far.min(seen);
    // No score is less. `exp` makes 1e-38 of it, which is nothing beside a sum of at least 1.
    scores[..too_far].fill(f32::MIN);
    softmax.step(simd, scores, seen, scale);
    scores[..too_far].fill(0.0);
}
