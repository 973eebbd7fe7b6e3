use ndarray::{Array2, ArrayView2, Zip, s};

use crate::compute::ComputeContext;
use crate::exp::exp;
use crate::matmul::timed_matmul;
use crate::profile::{Cost, timed};
use crate::weights::Layer;

/// SwiGLU: one projection opens or closes the gates of another. x: [rows, hidden] -> same
pub fn mlp(compute: &ComputeContext, x: ArrayView2<f32>, layer: &Layer) -> Array2<f32> {
    let weights = [&layer.gate_proj, &layer.up_proj];
    let [mut gate, up] = timed_matmul("gate, up projections", compute, x, weights); // [rows, ffn]
    timed("silu", Cost::default(), || {
        compute.par_rows(gate.view_mut(), |these, gate| {
            let up = up.slice(s![these, ..]);
            Zip::from(gate).and(up).for_each(|gate, up| *gate = silu(*gate) * up);
        });
    });
    let [out] = timed_matmul("down projection", compute, gate.view(), [&layer.down_proj]);
    out
}

fn silu(x: f32) -> f32 {
    x / (1.0 + exp(-x))
}
