use ndarray::{Array2, ArrayView2, ArrayViewMut2, s};

use crate::compute::ComputeContext;
use crate::exp::exp;
use crate::kernels::rows_mut;
use crate::matmul::timed_matmul;
use crate::profile::{Cost, timed};
use crate::simd::{Kernel, Simd};
use crate::weights::Layer;

/// SwiGLU: one projection opens or closes the gates of another. x: [rows, hidden] -> same
pub fn mlp(compute: &ComputeContext, x: ArrayView2<f32>, layer: &Layer) -> Array2<f32> {
    let weights = [&layer.gate_proj, &layer.up_proj];
    let [mut gate, up] = timed_matmul("gate, up projections", compute, x, weights); // [rows, ffn]
    timed("silu", Cost::default(), || {
        compute.par_rows(gate.view_mut(), |these, gate| {
            compute.backend.run(Gates { gate, up: up.slice(s![these, ..]) });
        });
    });
    let [out] = timed_matmul("down projection", compute, gate.view(), [&layer.down_proj]);
    for matrix in [gate, up] {
        compute.buffers.put(matrix);
    }
    out
}

/// Puts silu(gate) * up in the place of each gate. Both: [rows, ffn]
struct Gates<'a> {
    gate: ArrayViewMut2<'a, f32>,
    up: ArrayView2<'a, f32>,
}

impl Kernel for Gates<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Gates { mut gate, up } = self;
        for (gate, up) in rows_mut(&mut gate).zip(up.rows()) {
            let up = up.to_slice().expect("a row lies in one piece");
            for (gate, up) in gate.iter_mut().zip(up) {
                *gate = *gate / (1.0 + exp(-*gate)) * up;
            }
        }
    }
}
