use ndarray::{Array2, ArrayView2, Zip};

use crate::backend::Backend;
use crate::matmul::timed_matmul;
use crate::profile::{Cost, timed};
use crate::weights::Layer;

/// SwiGLU: one projection opens or closes the gates of another. x: [rows, hidden] -> same
pub fn mlp(backend: Backend, x: ArrayView2<f32>, layer: &Layer) -> Array2<f32> {
    let mut gate = timed_matmul("gate projection", backend, x, &layer.gate_proj); // [rows, ffn]
    let up = timed_matmul("up projection", backend, x, &layer.up_proj); // [rows, ffn]
    timed("silu", Cost::default(), || {
        Zip::from(&mut gate).and(&up).for_each(|gate, up| *gate = silu(*gate) * up);
    });
    timed_matmul("down projection", backend, gate.view(), &layer.down_proj)
}

fn silu(x: f32) -> f32 {
    x / (1.0 + libm::expf(-x))
}
