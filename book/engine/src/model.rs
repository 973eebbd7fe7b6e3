use ch02_kv_cache::model as ch02;
use ch03_in_a_browser::backend::Backend;
use ch03_in_a_browser::model as ch03;
use ground::config::Config;
use ground::error::Error;
use ground::gguf::Gguf;
use ground::tokenizer::Tokenizer;
use serde::Serialize;

/// One file, loaded as chapters 2 and 3 load it.
pub struct Model {
    pub file: &'static Gguf,
    pub tokenizer: Tokenizer,
    pub ch02: ch02::Model,
    pub ch03: ch03::Model<'static>,
    bytes: usize,
}

impl Model {
    /// A model lives as long as the module: whoever loads another page begins with another module.
    pub fn open(bytes: Vec<u8>) -> Result<&'static Model, Error> {
        let length = bytes.len();
        let file = Gguf::from_vec(bytes)?;
        let tokenizer = Tokenizer::from_gguf(&file)?;
        let config = Config::from_gguf(&file)?;
        let ch02 = ch02::Model::load(&file, config.clone())?;
        // Chapter 3 uses some weights as they lie in the file.
        let file = Box::leak(Box::new(file));
        let ch03 = ch03::Model::load(file, config, Backend::detect())?;
        Ok(Box::leak(Box::new(Model { file, tokenizer, ch02, ch03, bytes: length })))
    }

    pub fn config(&self) -> &Config {
        &self.ch02.config
    }

    pub fn about(&self) -> About {
        let Config { name, layers, heads, kv_heads, head_dim, context_length, .. } =
            self.config();
        About {
            name: name.clone(),
            layers: *layers,
            heads: *heads,
            kv_heads: *kv_heads,
            context: *context_length,
            bytes: self.bytes,
            row_bytes: row_bytes(*layers, *kv_heads * *head_dim),
            backend: self.ch03.backend.name(),
        }
    }
}

/// What one position takes in a cache: a row of keys and a row of values in each layer.
pub fn row_bytes(layers: usize, width: usize) -> usize {
    layers * 2 * width * size_of::<f32>()
}

#[derive(Serialize)]
pub struct About {
    name: String,
    layers: usize,
    heads: usize,
    kv_heads: usize,
    context: usize,
    bytes: usize,
    row_bytes: usize,
    backend: &'static str, // of chapter 3
}
