use ground::config::{Config, ROPE_FACTORS};
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

    /// What all layers have in common, for each of the two kinds: they turn rows by other angles.
    pub fn passes<'m>(&self, model: &'m Model, positions: &[usize]) -> [Pass<'m>; 2] {
        self.frequencies.each_ref().map(|frequencies| pass(model, frequencies, positions))
    }

    /// That of a layer.
    pub fn pass_of<'p, 'm>(&self, layer: usize, passes: &'p [Pass<'m>; 2]) -> &'p Pass<'m> {
        &passes[usize::from(self.window_of(layer) < usize::MAX)]
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
        let passes = self.passes(model, &positions);
        states::note(0, position, x.rows());
        for (index, block) in self.blocks.iter().enumerate() {
            let (pass, window) = (self.pass_of(index, &passes), self.window_of(index));
            let cache = cache.as_deref_mut();
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

/// Chapter 8's, but for the angles: those of these frequencies.
fn pass<'m>(model: &'m Model, frequencies: &[f64], positions: &[usize]) -> Pass<'m> {
    let half = frequencies.len();
    let mut angles = Array2::zeros((positions.len(), 2 * half));
    for (mut angles, &position) in angles.rows_mut().into_iter().zip(positions) {
        for (i, frequency) in frequencies.iter().enumerate() {
            let (sin, cos) = libm::sincos(position as f64 * frequency);
            (angles[i], angles[half + i]) = (cos as f32, sin as f32);
        }
    }
    let Model { compute, config, kv_type, .. } = model;
    Pass { compute, config, kv_type: *kv_type, positions: positions.to_vec(), angles }
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
