use clap::ValueEnum;
use ground::config::Config;

use super::{CacheError, ContiguousCache};

/// Which cache to use, as `--kv` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    Off,
    Contiguous,
}

impl Mode {
    /// A new cache with the dimensions of this model, or none. `positions`: the most that will be
    /// needed.
    pub fn cache(
        self,
        config: &Config,
        positions: usize,
    ) -> Result<Option<ContiguousCache>, CacheError> {
        let (layers, width) = (config.layers, config.kv_heads * config.head_dim);
        Ok(match self {
            Mode::Off => None,
            Mode::Contiguous => Some(ContiguousCache::new(layers, width, positions)?),
        })
    }
}
