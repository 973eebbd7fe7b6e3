//! The chapters behind one face, so that one test serves them all.

use ch02_kv_cache::cache::Mode;
use ground::config::Config;
use ground::error::Error;
use ground::gguf::Gguf;
use ground::request::{Generation, Request};
use ground::tokenizer::Tokenizer;
use ndarray::Array2;

/// What every chapter can do.
pub trait Engine {
    fn load(file: &'static Gguf) -> Self;
    /// Logits after every token. ids: [rows] -> [rows, vocab]
    fn forward_all(&self, ids: &[u32]) -> Array2<f32>;
    /// ids: [rows] -> [rows, hidden]
    fn embed(&self, ids: &[u32]) -> Array2<f32>;
    /// One layer, without a cache. x: [rows, hidden] -> same
    fn layer(&self, index: usize, x: Array2<f32>) -> Array2<f32>;
    /// The whole generation loop of the chapter.
    fn generate(&self, request: &Request, tokenizer: &Tokenizer) -> Result<Generation, Error>;
    fn config(&self) -> &Config;

    /// Greedy tokens, not stopped by an end token.
    fn greedy(&self, prompt: &[u32], count: usize) -> Vec<u32>;

    /// The embedding, then the state after each layer, each [rows, hidden].
    fn states(&self, ids: &[u32]) -> Vec<Array2<f32>> {
        let mut states = vec![self.embed(ids)];
        for index in 0..self.config().layers {
            states.push(self.layer(index, states[index].clone()));
        }
        states
    }
}

/// A request for that many greedy tokens.
pub fn request(prompt: &[u32], max_new_tokens: usize) -> Request {
    Request { prompt_ids: prompt.to_vec(), max_new_tokens, ..Request::default() }
}

fn silent(_: &str) -> std::io::Result<()> {
    Ok(())
}

/// Greedy without the loop of a chapter: what the loop must come to.
fn greedy_by_hand(
    prompt: &[u32],
    count: usize,
    forward: impl Fn(&[u32]) -> Vec<f32>,
) -> Vec<u32> {
    let mut ids = prompt.to_vec();
    for _ in 0..count {
        ids.push(ground::sample::argmax(&forward(&ids)));
    }
    ids.split_off(prompt.len())
}

pub struct Ch00(ch00_naive_forward::model::Model);

impl Engine for Ch00 {
    fn load(file: &'static Gguf) -> Self {
        Ch00(ch00_naive_forward::model::Model::load(file).expect("the model loads"))
    }

    fn forward_all(&self, ids: &[u32]) -> Array2<f32> {
        self.0.forward_all(ids)
    }

    fn embed(&self, ids: &[u32]) -> Array2<f32> {
        self.0.embed(ids)
    }

    fn layer(&self, index: usize, x: Array2<f32>) -> Array2<f32> {
        self.0.layer(index, x)
    }

    fn generate(&self, request: &Request, tokenizer: &Tokenizer) -> Result<Generation, Error> {
        let forward = |ids: &[u32]| Ok(self.0.forward(ids));
        ch00_naive_forward::generate::generate(request, tokenizer, forward, silent)
    }

    fn config(&self) -> &Config {
        &self.0.config
    }

    fn greedy(&self, prompt: &[u32], count: usize) -> Vec<u32> {
        greedy_by_hand(prompt, count, |ids| self.0.forward(ids))
    }
}

pub struct Ch01(ch01_timing_harness::model::Model);

impl Engine for Ch01 {
    fn load(file: &'static Gguf) -> Self {
        Ch01(ch01_timing_harness::model::Model::load(file).expect("the model loads"))
    }

    fn forward_all(&self, ids: &[u32]) -> Array2<f32> {
        self.0.forward_all(ids)
    }

    fn embed(&self, ids: &[u32]) -> Array2<f32> {
        self.0.embed(ids)
    }

    fn layer(&self, index: usize, x: Array2<f32>) -> Array2<f32> {
        self.0.layer(index, x)
    }

    fn generate(&self, request: &Request, tokenizer: &Tokenizer) -> Result<Generation, Error> {
        use ch01_timing_harness::recorder::{Recorder, system_clock};
        let clock = system_clock();
        let mut recorder = Recorder::new(&clock);
        let forward = |ids: &[u32]| Ok(self.0.forward(ids));
        let generate = ch01_timing_harness::generate::generate;
        generate(request, tokenizer, &mut recorder, forward, silent)
    }

    fn config(&self) -> &Config {
        &self.0.config
    }

    fn greedy(&self, prompt: &[u32], count: usize) -> Vec<u32> {
        greedy_by_hand(prompt, count, |ids| self.0.forward(ids))
    }
}

/// Chapter 2 with its contiguous cache; its other ways are compared with this one elsewhere.
pub struct Ch02(pub ch02_kv_cache::model::Model);

impl Ch02 {
    pub fn generate_with(
        &self,
        request: &Request,
        tokenizer: &Tokenizer,
        mode: Option<Mode>,
    ) -> Result<Generation, Error> {
        use ch02_kv_cache::cache::Lent;
        use ch02_kv_cache::recorder::{Recorder, system_clock};
        let clock = system_clock();
        let mut recorder = Recorder::new(&clock);
        let positions = request.prompt_ids.len() + request.max_new_tokens;
        let mut cache = mode.map(|mode| mode.cache(&self.0.config, positions));
        let forward = |ids: &[u32], position: usize, cache: Lent| {
            Ok(self.0.forward(ids, position, cache)?)
        };
        let generate = ch02_kv_cache::generate::generate;
        generate(request, tokenizer, &mut recorder, cache.as_deref_mut(), forward, silent)
    }
}

impl Engine for Ch02 {
    fn load(file: &'static Gguf) -> Self {
        Ch02(ch02_kv_cache::model::Model::load(file).expect("the model loads"))
    }

    fn forward_all(&self, ids: &[u32]) -> Array2<f32> {
        self.0.forward_all(ids, 0, None).expect("a pass without a cache cannot fail")
    }

    fn embed(&self, ids: &[u32]) -> Array2<f32> {
        self.0.embed(ids)
    }

    fn layer(&self, index: usize, x: Array2<f32>) -> Array2<f32> {
        self.0.layer(index, x, 0, None).expect("a pass without a cache cannot fail")
    }

    fn generate(&self, request: &Request, tokenizer: &Tokenizer) -> Result<Generation, Error> {
        self.generate_with(request, tokenizer, Some(Mode::Contiguous))
    }

    fn config(&self) -> &Config {
        &self.0.config
    }

    fn greedy(&self, prompt: &[u32], count: usize) -> Vec<u32> {
        let mut cache = Mode::Contiguous.cache(&self.0.config, prompt.len() + count);
        let mut ids = prompt.to_vec();
        for _ in 0..count {
            let done = cache.shape().length;
            let logits = self.0.forward(&ids[done..], done, Some(&mut *cache));
            ids.push(ground::sample::argmax(&logits.expect("the cache has room")));
        }
        ids.split_off(prompt.len())
    }
}

/// Chapter 3 with its contiguous cache and the fastest backend of this CPU.
pub struct Ch03(pub ch03_simd_matmul::model::Model<'static>);

impl Ch03 {
    pub fn generate_with(
        &self,
        request: &Request,
        tokenizer: &Tokenizer,
        mode: Option<ch03_simd_matmul::cache::Mode>,
    ) -> Result<Generation, Error> {
        use ch03_simd_matmul::cache::Lent;
        use ch03_simd_matmul::recorder::{Recorder, system_clock};
        let clock = system_clock();
        let mut recorder = Recorder::new(&clock);
        let positions = request.prompt_ids.len() + request.max_new_tokens;
        let mut cache = mode.map(|mode| mode.cache(&self.0.config, positions));
        let forward = |ids: &[u32], position: usize, cache: Lent| {
            Ok(self.0.forward(ids, position, cache)?)
        };
        let generate = ch03_simd_matmul::generate::generate;
        generate(request, tokenizer, &mut recorder, cache.as_deref_mut(), forward, silent)
    }
}

impl Engine for Ch03 {
    fn load(file: &'static Gguf) -> Self {
        let backend = ch03_simd_matmul::backend::Backend::choose("auto").expect("there is one");
        let model = ch03_simd_matmul::model::Model::load(file, backend);
        Ch03(model.expect("the model loads"))
    }

    fn forward_all(&self, ids: &[u32]) -> Array2<f32> {
        self.0.forward_all(ids, 0, None).expect("a pass without a cache cannot fail")
    }

    fn embed(&self, ids: &[u32]) -> Array2<f32> {
        self.0.embed(ids)
    }

    fn layer(&self, index: usize, x: Array2<f32>) -> Array2<f32> {
        self.0.layer(index, x, 0, None).expect("a pass without a cache cannot fail")
    }

    fn generate(&self, request: &Request, tokenizer: &Tokenizer) -> Result<Generation, Error> {
        self.generate_with(request, tokenizer, Some(ch03_simd_matmul::cache::Mode::Contiguous))
    }

    fn config(&self) -> &Config {
        &self.0.config
    }

    fn greedy(&self, prompt: &[u32], count: usize) -> Vec<u32> {
        let mode = ch03_simd_matmul::cache::Mode::Contiguous;
        let mut cache = mode.cache(&self.0.config, prompt.len() + count);
        let mut ids = prompt.to_vec();
        for _ in 0..count {
            let done = cache.shape().length;
            let logits = self.0.forward(&ids[done..], done, Some(&mut *cache));
            ids.push(ground::sample::argmax(&logits.expect("the cache has room")));
        }
        ids.split_off(prompt.len())
    }
}
