use clap::ValueEnum;
use ground::config::Config;

use super::{BasicCache, CacheError, ContiguousCache, KvCache};

/// Which cache to use, as `--kv` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    Off,
    Basic,
    Contiguous,
}

impl Mode {
    /// A new cache with the dimensions of this model, or none. `positions`: the most that will be
    /// needed.
    pub fn cache(
        self,
        config: &Config,
        positions: usize,
    ) -> Result<Option<Box<dyn KvCache>>, CacheError> {
        let (layers, width) = (config.layers, config.kv_heads * config.head_dim);
        Ok(match self {
            Mode::Off => None,
            Mode::Basic => Some(Box::new(BasicCache::new(layers, width))),
            Mode::Contiguous => Some(Box::new(ContiguousCache::new(layers, width, positions)?)),
        })
    }
}
