use ndarray::ArrayView2;

use crate::exp::exp;
use crate::simd::Simd;

/// The text is cut into blocks of this many positions, wherever a prompt or a chunk of it begins or ends.
pub const BLOCK_SIZE: usize = 64;

/// The keys and values of a block, each [up to BLOCK_SIZE, kv_heads * head_dim].
pub type BlockView<'a> = (ArrayView2<'a, f32>, ArrayView2<'a, f32>);

/// What a query has to remember of the blocks so far.
#[derive(Clone, Copy)]
pub struct OnlineSoftmax {
    pub largest: f32, // of all scores
    pub sum: f32,     // of all weights, as they are with this largest score
    pub factor: f32,  // that rescales earlier weights to the new largest score
}

impl OnlineSoftmax {
    /// Before the first block. `f32::MIN` rather than −∞, because −∞ − (−∞) would be NaN.
    pub const START: OnlineSoftmax = OnlineSoftmax { largest: f32::MIN, sum: 0.0, factor: 1.0 };

    /// Turns the scores of the next block into weights, of which the first `seen` count: the others are 0.
    #[inline(always)]
    pub fn step<S: Simd>(
        &mut self,
        simd: S,
        scores: &mut [f32; BLOCK_SIZE],
        seen: usize,
        scale: f32,
    ) {
        let mut lanes = [self.largest; 16];
        for (i, score) in scores.iter_mut().enumerate() {
            *score = if i < seen { *score * scale } else { f32::MIN };
        }
        for sixteen in scores.as_chunks::<16>().0 {
            for (largest, &score) in lanes.iter_mut().zip(sixteen) {
                *largest = if score > *largest { score } else { *largest };
            }
        }
        let largest = lanes.into_iter().fold(self.largest, |a, b| if b > a { b } else { a });
        self.factor = exp(self.largest - largest);
        self.largest = largest;

        for (i, score) in scores.iter_mut().enumerate() {
            *score = if i < seen { exp(*score - largest) } else { 0.0 };
        }
        let mut lanes = [0.0; 16];
        for sixteen in scores.as_chunks::<16>().0 {
            for (sum, weight) in lanes.iter_mut().zip(sixteen) {
                *sum += weight;
            }
        }
        self.sum = self.sum.mul_add(self.factor, simd.sum(simd.load(&lanes)));
    }
}
