use ground::config::Config;
use ndarray::Array2;

use crate::cache::KvType;
use crate::compute::ComputeContext;
use crate::rope::angles;

/// What all layers of a pass have in common.
pub struct Pass<'a> {
    pub compute: &'a ComputeContext,
    pub config: &'a Config,
    pub kv_type: KvType,
    pub positions: Vec<usize>, // of each row in its text
    pub angles: Array2<f32>,   // by which each row is turned there: [rows, head_dim]
}

impl<'a> Pass<'a> {
    pub fn new(
        compute: &'a ComputeContext,
        config: &'a Config,
        kv_type: KvType,
        positions: Vec<usize>,
    ) -> Pass<'a> {
        let angles = angles(config.head_dim, config.rope_theta, &positions);
        Pass { compute, config, kv_type, positions, angles }
    }

    /// Of the first row. The others follow it, one by one, if all are of one text.
    pub fn position(&self) -> usize {
        self.positions.first().copied().unwrap_or_default()
    }
}
