use clap::ValueEnum;
use ground::config::Config;

use super::{CacheError, ContiguousCache, KvCache};

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
        let heads = (config.kv_heads, config.head_dim);
        let cache = |capacity| -> Result<Option<Box<dyn KvCache>>, CacheError> {
            Ok(Some(Box::new(ContiguousCache::new(config.layers, heads, capacity)?)))
        };
        match self {
            Mode::Off => Ok(None),
            Mode::Basic => cache(None),
            Mode::Contiguous => cache(Some(positions)),
        }
    }
}
