use clap::ValueEnum;
use ground::config::Config;
use half::f16;
use serde::Serialize;

use super::{CacheError, ContiguousCache, KvCache};

/// The type in which keys and values are kept, as `--kv-type` names it. It changes bits, so it belongs to a model and not
/// to how it is run: without a cache they are rounded as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum KvType {
    F32,
    #[default]
    F16,
}

impl KvType {
    pub fn bytes(self) -> usize {
        match self {
            KvType::F32 => size_of::<f32>(),
            KvType::F16 => size_of::<f16>(),
        }
    }

    /// An empty cache for so many layers of a model.
    pub fn cache(
        self,
        config: &Config,
        layers: usize,
        capacity: Option<usize>,
    ) -> Result<Box<dyn KvCache>, CacheError> {
        let heads = (config.kv_heads, config.head_dim);
        Ok(match self {
            KvType::F32 => {
                Box::new(ContiguousCache::<f32>::new(self, layers, heads, capacity)?)
            }
            KvType::F16 => {
                Box::new(ContiguousCache::<f16>::new(self, layers, heads, capacity)?)
            }
        })
    }
}
