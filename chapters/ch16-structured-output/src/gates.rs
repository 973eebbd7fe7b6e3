use ndarray::{ArrayView2, ArrayViewMut2};

use ch08_f16_cache::exp::exp;
use ch08_f16_cache::simd::{Kernel, Simd};

/// Puts silu(gate) * up in the place of each gate, or gelu(gate) * up. Both: [rows, ffn]
pub struct Gates<'a> {
    pub gate: ArrayViewMut2<'a, f32>,
    pub up: ArrayView2<'a, f32>,
    pub gelu: bool,
}

/// Twice the root of 2 / pi.
const STEEPER: f32 = 1.595_769_2;

impl Kernel for Gates<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Gates { mut gate, up, gelu } = self;
        for (mut gates, up) in gate.rows_mut().into_iter().zip(up.rows()) {
            let gates = gates.as_slice_mut().expect("a row lies in one piece");
            let up = up.to_slice().expect("a row lies in one piece");
            let both = gates.iter_mut().zip(up);
            match gelu {
                false => both.for_each(|(gate, up)| *gate = *gate / (1.0 + exp(-*gate)) * up),
                // (1 + tanh y) / 2 is 1 / (1 + exp(-2 y)).
                true => both.for_each(|(gate, up)| {
                    let y = STEEPER * (*gate + 0.044_715 * *gate * *gate * *gate);
                    *gate = *gate / (1.0 + exp(-y)) * up;
                }),
            }
        }
    }
}
