use std::ffi::OsString;

use clap::ValueEnum;
use ground::config::Config;

use super::{BasicCache, ContiguousCache, KvCache};

/// Which cache to use, as `--kv` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    Basic,
    Contiguous,
}

impl Mode {
    /// A new cache with the dimensions of this model. `positions`: the most that will be needed.
    pub fn cache(self, config: &Config, positions: usize) -> Box<dyn KvCache> {
        let width = config.kv_heads * config.head_dim;
        match self {
            Mode::Basic => Box::new(BasicCache::new(config.layers, width)),
            Mode::Contiguous => Box::new(ContiguousCache::new(config.layers, width, positions)),
        }
    }
}

/// `--kv contiguous` becomes `--kv=contiguous`; after `--kv` any other word is the prompt.
pub fn join_mode(arguments: Vec<OsString>) -> Vec<OsString> {
    let mut joined: Vec<OsString> = Vec::new();
    let mut only_words_left = false;
    for argument in arguments {
        let is_mode = argument.to_str().is_some_and(|word| Mode::from_str(word, false).is_ok());
        match joined.last_mut() {
            Some(last) if !only_words_left && last == "--kv" && is_mode => {
                last.push("=");
                last.push(argument);
            }
            _ => {
                only_words_left |= argument == "--";
                joined.push(argument);
            }
        }
    }
    joined
}
