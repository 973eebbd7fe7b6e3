use ground::config::{Config, ROPE_FACTORS};
use ground::error::Error;
use ground::gguf::Gguf;
use ground::states;
use ndarray::{Array2, ArrayView2};

use crate::block::Block;
use crate::family::{PARTS, Traits};
use ch08_f16_cache::attention::attend;
use ch08_f16_cache::cache::{CacheError, ContiguousCache, KvCache, KvType, Lent};
use ch08_f16_cache::compute::ComputeContext;
use ch08_f16_cache::kernels::{BLOCK_SIZE, BlockView};
use ch08_f16_cache::model::{Model, Watch};
use ch08_f16_cache::profile::{Cost, timed};
use ch08_f16_cache::weights::{Loader, Weights};

/// The layers of a model of any family, and what goes into them.
pub struct Layers<'a> {
    pub blocks: Vec<Block<'a>>,
    scale: Option<f32>,             // of the embedding
    frequencies: [Vec<f64>; 2], // of the rotary embedding: of layers that see everything, and of the others
    window: Option<(usize, usize)>, // how many keys the others see, and of how many layers the last sees everything
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

        let key = |name| config.family.key(name);
        let factors = match file.has_tensor(ROPE_FACTORS) {
            true => file.tensor(ROPE_FACTORS)?.to_f32(),
            false => Vec::new(),
        };
        let mut frequencies = [frequencies(&config, config.rope_theta, &factors), Vec::new()];
        let mut window = None;
        if let Some(found) = traits.window {
            let theta = key("rope.freq_base_swa");
            let theta = if file.has(&theta) { file.float(&theta)? as f32 } else { found.theta };
            let keys = key("attention.sliding_window");
            let keys = usize::try_from(file.integer(&keys)?).unwrap_or(usize::MAX);
            if keys == 0 || !theta.is_normal() || theta < 1.0 {
                return Err(Error::chapter(format!(
                    "a window of {keys} keys, with a base of {theta}"
                )));
            }
            frequencies[1] = self::frequencies(&config, theta, &[]);
            window = Some((keys, found.period));
        }
        let scale = traits.scaled.then(|| (config.hidden as f32).sqrt());
        let layers: &Layers =
            Box::leak(Box::new(Layers { blocks, scale, frequencies, window }));
        let others = Box::leak(Box::new(
            move |model: &Model, ids: &[u32], position: usize, cache: Lent, watch: Watch| {
                layers.hidden(model, ids, position, cache, watch)
            },
        ));
        let model = Model { config, weights, compute, kv_type, others: Some(others) };
        Ok((layers, model))
    }

    /// What a layer sees: the last so many keys.
    pub fn window_of(&self, layer: usize) -> usize {
        let limited = |&(_, period): &(usize, usize)| !(layer + 1).is_multiple_of(period);
        self.window.filter(limited).map_or(usize::MAX, |(keys, _)| keys)
    }

    /// The vector that the model learned for each token. ids: [rows] -> [rows, hidden]
    pub fn embed(&self, model: &Model, ids: &[u32]) -> Array2<f32> {
        let mut x = model.embed(ids);
        self.scale.into_iter().for_each(|scale| x *= scale);
        x
    }

    /// By what the rows at these positions are turned, for both kinds of layers. -> [rows, head_dim] each
    pub fn angles(&self, positions: &[usize]) -> [Array2<f32>; 2] {
        self.frequencies.each_ref().map(|frequencies| {
            let half = frequencies.len();
            let mut angles = Array2::zeros((positions.len(), 2 * half));
            for (mut angles, &position) in angles.rows_mut().into_iter().zip(positions) {
                for (i, frequency) in frequencies.iter().enumerate() {
                    let (sin, cos) = libm::sincos(position as f64 * frequency);
                    (angles[i], angles[half + i]) = (cos as f32, sin as f32);
                }
            }
            angles
        })
    }

    /// Those of a layer.
    pub fn angles_of<'x>(
        &self,
        layer: usize,
        angles: &'x [Array2<f32>; 2],
    ) -> ArrayView2<'x, f32> {
        angles[usize::from(self.window_of(layer) < usize::MAX)].view()
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
        let mut x = self.embed(model, ids);
        let positions: Vec<usize> = (position..position + ids.len()).collect();
        let angles = self.angles(&positions);
        states::note(0, position, x.rows());
        for (index, block) in self.blocks.iter().enumerate() {
            let cache = cache.as_deref_mut();
            x = block.forward(&model.compute, x, self.angles_of(index, &angles), |qkv| {
                self.attend(model, index, position, qkv, cache)
            })?;
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

    /// Chapter 8's attention, as far back as this layer sees. -> as q
    fn attend(
        &self,
        model: &Model,
        index: usize,
        position: usize,
        [q, k, v]: [ArrayView2<f32>; 3],
        cache: Lent,
    ) -> Result<Array2<f32>, CacheError> {
        let (config, window) = (&model.config, self.window_of(index));
        let mut own;
        let (cache, index): (&mut dyn KvCache, usize) = match cache {
            Some(cache) => (cache, index),
            None => {
                let heads = (config.kv_heads, config.head_dim);
                own = ContiguousCache::new(model.kv_type, 1, heads, None)?;
                (&mut own, 0)
            }
        };
        cache.write(index, (k, v))?;
        let blocks = 0..(position + q.nrows()).div_ceil(BLOCK_SIZE);
        let blocks: Vec<BlockView> =
            blocks.map(|block| cache.block(index, block)).collect::<Result<_, _>>()?;
        let cost = cost(q.nrows(), position, window, model);
        Ok(timed("attention", cost, || {
            attend(&model.compute, q, &blocks, position, window, config)
        }))
    }
}

/// The frequencies of a head's pairs, each divided by its factor if there are factors.
fn frequencies(config: &Config, theta: f32, factors: &[f32]) -> Vec<f64> {
    let frequency = |i: usize| {
        let exponent = (2 * i) as f64 / config.head_dim as f64;
        let factor = factors.get(i).map_or(1.0, |&factor| f64::from(factor));
        1.0 / libm::pow(f64::from(theta), exponent) / factor
    };
    (0..config.head_dim / 2).map(frequency).collect()
}

/// What so many queries of a text read, and how much they compute.
pub fn cost(rows: usize, position: usize, window: usize, model: &Model) -> Cost {
    let config = &model.config;
    let pairs: usize = (position..position + rows).map(|at| window.min(at + 1)).sum(); // of a query with a key
    Cost {
        bytes: 2 * pairs * config.kv_heads * model.kv_type.row_bytes(config.head_dim),
        flops: 4 * pairs * config.heads * config.head_dim,
    }
}
