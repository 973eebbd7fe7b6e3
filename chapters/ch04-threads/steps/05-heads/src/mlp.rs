use ndarray::{Array2, ArrayView2, Zip, s};

use crate::compute::ComputeContext;
use crate::exp::exp;
use crate::matmul::timed_matmul;
use crate::profile::{Cost, timed};
use crate::weights::Layer;

/// SwiGLU: one projection opens or closes the gates of another. x: [rows, hidden] -> same
pub fn mlp(compute: &ComputeContext, x: ArrayView2<f32>, layer: &Layer) -> Array2<f32> {
    let mut gate = timed_matmul("gate projection", compute, x, &layer.gate_proj); // [rows, ffn]
    let up = timed_matmul("up projection", compute, x, &layer.up_proj); // [rows, ffn]
    timed("silu", Cost::default(), || {
        compute.par_rows(gate.view_mut(), |these, gate| {
            let up = up.slice(s![these, ..]);
            Zip::from(gate).and(up).for_each(|gate, up| *gate = silu(*gate) * up);
        });
    });
    timed_matmul("down projection", compute, gate.view(), &layer.down_proj)
}

fn silu(x: f32) -> f32 {
    x / (1.0 + exp(-x))
}
