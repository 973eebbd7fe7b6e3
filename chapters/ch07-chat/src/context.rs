use ndarray::{Array2, s};

use crate::cache::{CacheError, KvCache, Rows, Shape};
use crate::how::How;
use crate::kernels::BLOCK_SIZE;
use crate::model::{Model, Watch};

/// A cache, and the tokens whose rows it holds.
pub struct Context {
    cache: Option<Box<dyn KvCache>>,
    ids: Vec<u32>, // one for each row; without a cache none
    pub how: How,
    positions: usize, // no more than these
}

impl Context {
    /// No tokens yet, and an empty cache or none. `positions`: the most that will be needed.
    pub fn new(cache: Option<Box<dyn KvCache>>, how: &How, positions: usize) -> Context {
        Context { cache, ids: Vec::new(), how: *how, positions }
    }

    /// The tokens that needn't be computed again.
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    pub fn positions(&self) -> usize {
        self.positions
    }

    pub fn shape(&self) -> Option<Shape> {
        self.cache.as_ref().map(|cache| cache.shape())
    }

    /// Forgets all but what `ids` begins with, and says how much that is. The last of `ids` is never
    /// kept: its logits are wanted, and the cache has none.
    pub fn keep(&mut self, ids: &[u32]) -> usize {
        let kept = common_beginning(&self.ids, ids).min(ids.len().saturating_sub(1));
        self.truncate(kept);
        kept
    }

    /// The logits after `new`, which follow the tokens that are here. A pass that ends early keeps
    /// the chunks that were complete.
    pub fn forward(
        &mut self,
        model: &Model,
        new: &[u32],
        watch: Watch,
    ) -> Result<Option<Vec<f32>>, CacheError> {
        let (position, chunk) = (self.ids.len(), self.how.prefill_chunk);
        let cache = self.cache.as_deref_mut();
        let logits = model.forward_in_chunks(new, position, cache, chunk, watch);
        self.ids.extend_from_slice(new);
        self.ids.truncate(self.shape().map_or(0, |shape| shape.length));
        logits
    }

    /// The keys and values of one layer, block by block; without a cache there are none.
    pub fn blocks(&self, layer: usize) -> impl Iterator<Item = Rows<'_>> {
        self.cache.iter().flat_map(move |cache| {
            (0..self.ids.len()).step_by(BLOCK_SIZE).enumerate().map(move |(index, start)| {
                let (k, v) = cache.block(layer, index).expect("a row for each token");
                // What a pass that ended early has written does not count.
                let complete = s![..k.nrows().min(self.ids.len() - start), ..];
                (k.slice_move(complete), v.slice_move(complete))
            })
        })
    }

    /// Takes over tokens and their rows, layer by layer; without a cache there is nothing to put them in.
    pub fn replace(
        &mut self,
        ids: Vec<u32>,
        mut rows: impl FnMut(usize) -> (Array2<f32>, Array2<f32>),
    ) -> Result<(), CacheError> {
        self.truncate(0);
        let Some(cache) = &mut self.cache else { return Ok(()) };
        for layer in 0..cache.shape().layers {
            let (k, v) = rows(layer);
            cache.write(layer, (k.view(), v.view()))?;
        }
        cache.advance(ids.len());
        self.ids = ids;
        Ok(())
    }

    fn truncate(&mut self, length: usize) {
        self.ids.truncate(length);
        if let Some(cache) = &mut self.cache {
            cache.truncate(length);
        }
    }
}

/// How many tokens two texts have in common before they part. After that even equal tokens have other
/// rows: each row was made of all tokens before it.
pub fn common_beginning(a: &[u32], b: &[u32]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
