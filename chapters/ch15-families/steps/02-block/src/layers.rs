use ground::config::Config;
use ground::error::Error;
use ground::gguf::Gguf;
use ground::states;
use ndarray::Array2;

use crate::block::Block;
use crate::family::{PARTS, Traits};
use ch08_f16_cache::attention::attend_cached;
use ch08_f16_cache::cache::{CacheError, KvType, Lent};
use ch08_f16_cache::compute::ComputeContext;
use ch08_f16_cache::model::{Model, Watch};
use ch08_f16_cache::pass::Pass;
use ch08_f16_cache::weights::{Loader, Weights};

/// The layers of a model of any family, and what goes into them.
pub struct Layers<'a> {
    pub blocks: Vec<Block<'a>>,
}

impl<'a> Layers<'a> {
    /// A model whose layers are these. They are as long in memory as the program runs, as a server's model is.
    pub fn load(
        file: &'a Gguf,
        compute: ComputeContext,
        kv_type: KvType,
    ) -> Result<(&'a Layers<'a>, Model<'a>), Error> {
        let config = Config::of(file, &PARTS)?;
        let traits = Traits::of(file, &config)?;
        let mut loader = Loader::new(file, &compute);
        let block = |index| Block::load(&mut loader, index, &traits, config.rms_eps);
        let blocks = (0..config.layers).map(block).collect::<Result<_, _>>()?;
        let weights = Weights {
            embedding: loader.matrix("token_embd.weight")?,
            layers: Vec::new(), // those of a Qwen3 as chapter 8 knows it
            final_norm: loader.vector("output_norm.weight")?,
            output: if config.tied { None } else { Some(loader.matrix("output.weight")?) },
            bytes: loader.bytes,
        };

        let layers: &Layers = Box::leak(Box::new(Layers { blocks }));
        let others = Box::leak(Box::new(
            move |model: &Model, ids: &[u32], position: usize, cache: Lent, watch: Watch| {
                layers.hidden(model, ids, position, cache, watch)
            },
        ));
        let model = Model { config, weights, compute, kv_type, others: Some(others) };
        Ok((layers, model))
    }

    /// What all layers make of the tokens of one text: chapter 8's `hidden`. ids: [rows] -> [rows, hidden]
    fn hidden(
        &self,
        model: &Model,
        ids: &[u32],
        position: usize,
        mut cache: Lent,
        watch: Watch,
    ) -> Result<Option<Array2<f32>>, CacheError> {
        let mut x = model.embed(ids);
        let positions = (position..position + ids.len()).collect();
        let pass = &Pass::new(&model.compute, &model.config, model.kv_type, positions);
        states::note(0, position, x.rows());
        for (index, block) in self.blocks.iter().enumerate() {
            let (cache, window) = (cache.as_deref_mut(), usize::MAX);
            x = block.forward(pass, x, |qkv| attend_cached(pass, qkv, index, window, cache))?;
            states::note(index + 1, position, x.rows());
            if !watch(position + ids.len() * (index + 1) / self.blocks.len()) {
                return Ok(None);
            }
        }
        if let Some(cache) = cache {
            cache.advance(ids.len());
        }
        Ok(Some(x))
    }
}
