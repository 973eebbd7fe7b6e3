use clap::ValueEnum;
use ground::config::Config;

use super::{CacheError, KvCache, KvType};

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
        kv_type: KvType,
        positions: usize,
    ) -> Result<Option<Box<dyn KvCache>>, CacheError> {
        let cache = |capacity| kv_type.cache(config, config.layers, capacity).map(Some);
        match self {
            Mode::Off => Ok(None),
            Mode::Basic => cache(None),
            Mode::Contiguous => cache(Some(positions)),
        }
    }
}
