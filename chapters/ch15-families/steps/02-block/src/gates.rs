use ndarray::{ArrayView2, ArrayViewMut2};

use ch08_f16_cache::exp::exp;
use ch08_f16_cache::simd::{Kernel, Simd};

/// Puts silu(gate) * up in the place of each gate. Both: [rows, ffn]
pub struct Gates<'a> {
    pub gate: ArrayViewMut2<'a, f32>,
    pub up: ArrayView2<'a, f32>,
}

impl Kernel for Gates<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Gates { mut gate, up } = self;
        for (mut gates, up) in gate.rows_mut().into_iter().zip(up.rows()) {
            let gates = gates.as_slice_mut().expect("a row lies in one piece");
            let up = up.to_slice().expect("a row lies in one piece");
            let both = gates.iter_mut().zip(up);
            both.for_each(|(gate, up)| *gate = *gate / (1.0 + exp(-*gate)) * up);
        }
    }
}
