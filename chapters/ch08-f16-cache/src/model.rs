use std::num::NonZeroUsize;

use ground::config::Config;
use ground::error::Error;
use ground::gguf::Gguf;
use ground::states;
use ndarray::{Array2, ArrayView2, ArrayViewMut2, s};

use crate::attention::attention;
use crate::cache::{self, CacheError, KvType, Lent};
use crate::compute::ComputeContext;
use crate::matmul::timed_matmul;
use crate::mlp::mlp;
use crate::norm::rms_norm_rows;
use crate::pass::Pass;
use crate::profile::{Cost, timed};
use crate::weights::Weights;

/// Is told after every layer how many tokens are done, with a part of the chunk in hand, and says whether to go on.
pub type Watch<'a> = &'a mut dyn FnMut(usize) -> bool;

/// What computes all layers of a model that is no Qwen3, as [`Model::hidden`] does.
pub type Layers<'a> = dyn Fn(&Model, &[u32], usize, Lent, Watch) -> Result<Option<Array2<f32>>, CacheError>
    + Send
    + Sync
    + 'a;

/// A model that is ready to run.
pub struct Model<'a> {
    pub config: Config,
    pub weights: Weights<'a>,
    pub compute: ComputeContext,
    pub kv_type: KvType, // of keys and values, with a cache and without
    pub others: Option<&'a Layers<'a>>, // None: those of a Qwen3, in `weights`
}

impl<'a> Model<'a> {
    pub fn load(
        file: &'a Gguf,
        config: Config,
        compute: ComputeContext,
        kv_type: KvType,
    ) -> Result<Model<'a>, Error> {
        let weights = Weights::load(file, &config, &compute)?;
        Ok(Model { config, weights, compute, kv_type, others: None })
    }

    /// How likely each token of the vocabulary is to come next, as logits. ids: [rows] -> [vocab]
    /// With a cache, `ids` are the tokens from `position` on, and the cache holds all before them.
    /// `None` if the watch has ended the pass.
    pub fn forward(
        &self,
        ids: &[u32],
        position: usize,
        cache: Lent,
        watch: Watch,
    ) -> Result<Option<Vec<f32>>, CacheError> {
        let x = self.hidden(ids, position, cache, watch)?;
        let last = |x: Array2<f32>| self.logits(x.slice(s![-1.., ..]));
        Ok(x.map(|x| last(x).into_raw_vec_and_offset().0))
    }

    /// The same, with the tokens read in chunks of at most `chunk`: the cache carries over.
    /// Without a cache nothing would, and all of them are one chunk.
    pub fn forward_in_chunks(
        &self,
        ids: &[u32],
        mut position: usize,
        mut cache: Lent,
        chunk: NonZeroUsize,
        watch: Watch,
    ) -> Result<Option<Vec<f32>>, CacheError> {
        let chunk = if cache.is_some() { chunk.get() } else { usize::MAX };
        let mut chunks = ids.chunks(chunk);
        let last = chunks.next_back().unwrap_or_default();
        for chunk in chunks {
            // These logits would never be read, so they are not computed.
            if self.hidden(chunk, position, cache.as_deref_mut(), watch)?.is_none() {
                return Ok(None);
            }
            position += chunk.len();
        }
        self.forward(last, position, cache, watch)
    }

    /// What all layers make of the tokens. ids: [rows] -> [rows, hidden]
    pub fn hidden(
        &self,
        ids: &[u32],
        position: usize,
        mut cache: Lent,
        watch: Watch,
    ) -> Result<Option<Array2<f32>>, CacheError> {
        if let Some(cache) = &cache {
            cache::check(&cache.shape(), &self.config, self.kv_type, position, ids.len())?;
        }
        if let Some(layers) = &self.others {
            return layers(self, ids, position, cache, watch);
        }
        let mut x = self.embed(ids);
        let positions = (position..position + ids.len()).collect();
        let pass = Pass::new(&self.compute, &self.config, self.kv_type, positions);
        states::note(0, position, x.rows());
        for index in 0..self.config.layers {
            x = self.layer(index, x, &pass, cache.as_deref_mut())?;
            states::note(index + 1, position, x.rows());
            if !watch(position + ids.len() * (index + 1) / self.config.layers) {
                return Ok(None);
            }
        }
        if let Some(cache) = cache {
            cache.advance(ids.len());
        }
        Ok(Some(x))
    }

    /// The vector that the model learned for each token. ids: [rows] -> [rows, hidden]
    pub fn embed(&self, ids: &[u32]) -> Array2<f32> {
        let mut x = Array2::zeros((ids.len(), self.config.hidden));
        for (row, &id) in x.rows_mut().into_iter().zip(ids) {
            self.weights.embedding.copy_row(id as usize, row);
        }
        x
    }

    /// One layer: attention, then the MLP, each added to what was there. x: [rows, hidden] -> same
    pub fn layer(
        &self,
        index: usize,
        mut x: Array2<f32>,
        pass: &Pass,
        cache: Lent,
    ) -> Result<Array2<f32>, CacheError> {
        let (layer, compute) = (&self.weights.layers[index], pass.compute);
        let eps = self.config.rms_eps;
        let normed = rms_norm_rows(compute, x.view(), layer.attn_norm.view(), eps);
        let mixed = attention(pass, normed.view(), index, layer, cache)?;
        add(compute, x.view_mut(), mixed.view());
        let renormed = rms_norm_rows(compute, x.view(), layer.ffn_norm.view(), eps);
        let fed = mlp(compute, renormed.view(), layer);
        add(compute, x.view_mut(), fed.view());
        for matrix in [normed, mixed, renormed, fed] {
            compute.buffers.put(matrix);
        }
        Ok(x)
    }

    /// Compares each row with every token of the vocabulary. x: [rows, hidden] -> [rows, vocab]
    pub fn logits(&self, x: ArrayView2<f32>) -> Array2<f32> {
        let normed = rms_norm_rows(
            &self.compute,
            x,
            self.weights.final_norm.view(),
            self.config.rms_eps,
        );
        let head = self.weights.output.as_ref().unwrap_or(&self.weights.embedding);
        let [logits] = timed_matmul("output head", &self.compute, normed.view(), [head]);
        self.compute.buffers.put(normed);
        logits
    }
}

/// x: [rows, hidden], more: the same
fn add(compute: &ComputeContext, x: ArrayViewMut2<f32>, more: ArrayView2<f32>) {
    timed("additions", Cost::default(), || {
        compute.par_rows(x, |these, mut rows| rows += &more.slice(s![these, ..]));
    });
}
