use ground::error::Error;
use ndarray::{Array1, Array2, ArrayView2, ArrayViewMut2, s};

use crate::family::Traits;
use crate::gates::Gates;
use crate::neighbours::Neighbours;
use ch08_f16_cache::compute::ComputeContext;
use ch08_f16_cache::matmul::timed_matmul;
use ch08_f16_cache::norm::{Norm, rms_norm_rows};
use ch08_f16_cache::pass::Pass;
use ch08_f16_cache::profile::{Cost, timed};
use ch08_f16_cache::rope::Rope;
use ch08_f16_cache::run_on::RunOn;
use ch08_f16_cache::weights::{Loader, Matrix};

/// One layer of any family: the parts that not all of them have are there or not.
pub struct Block<'a> {
    attn_norm: Array1<f32>,               // [hidden]
    q_proj: Matrix<'a>,                   // [heads * head_dim, hidden]
    k_proj: Matrix<'a>,                   // [kv_heads * head_dim, hidden]
    v_proj: Matrix<'a>,                   // [kv_heads * head_dim, hidden]
    qkv_bias: Option<[Array1<f32>; 3]>,   // as long as what they are added to
    qk_norms: Option<[Array1<f32>; 2]>,   // [head_dim]
    o_proj: Matrix<'a>,                   // [hidden, heads * head_dim]
    ffn_norm: Array1<f32>,                // [hidden]
    gate_proj: Matrix<'a>,                // [ffn, hidden]
    up_proj: Matrix<'a>,                  // [ffn, hidden]
    down_proj: Matrix<'a>,                // [hidden, ffn]
    post_norms: Option<[Array1<f32>; 2]>, // [hidden]: of what attention gives, and of what the MLP gives
    neighbours: bool,
    gelu: bool,
    eps: f32,
}

impl<'a> Block<'a> {
    pub fn load(
        loader: &mut Loader<'a>,
        index: usize,
        traits: &Traits,
        eps: f32,
    ) -> Result<Block<'a>, Error> {
        let name = |part: &str| format!("blk.{index}.{part}.weight");
        let bias = |part: &str| format!("blk.{index}.{part}.bias");
        let parts = &traits.parts;
        Ok(Block {
            attn_norm: loader.vector(&name("attn_norm"))?,
            q_proj: loader.matrix(&name("attn_q"))?,
            k_proj: loader.matrix(&name("attn_k"))?,
            v_proj: loader.matrix(&name("attn_v"))?,
            qkv_bias: vectors(
                loader,
                parts.qkv_bias,
                ["attn_q", "attn_k", "attn_v"].map(bias),
            )?,
            qk_norms: vectors(loader, parts.qk_norm, ["attn_q_norm", "attn_k_norm"].map(name))?,
            o_proj: loader.matrix(&name("attn_output"))?,
            ffn_norm: loader.vector(&name("ffn_norm"))?,
            gate_proj: loader.matrix(&name("ffn_gate"))?,
            up_proj: loader.matrix(&name("ffn_up"))?,
            down_proj: loader.matrix(&name("ffn_down"))?,
            post_norms: vectors(
                loader,
                parts.post_norms,
                ["post_attention_norm", "post_ffw_norm"].map(name),
            )?,
            neighbours: traits.neighbours,
            gelu: traits.gelu,
            eps,
        })
    }

    /// The whole layer, around whatever attends: it gets queries, keys and values of all rows. x: [rows, hidden] -> same
    pub fn forward<E>(
        &self,
        pass: &Pass,
        mut x: Array2<f32>,
        attend: impl FnOnce([ArrayView2<f32>; 3]) -> Result<Array2<f32>, E>,
    ) -> Result<Array2<f32>, E> {
        let compute = pass.compute;
        let normed = rms_norm_rows(compute, x.view(), self.attn_norm.view(), self.eps);
        let weights = [&self.q_proj, &self.k_proj, &self.v_proj];
        let [mut q, mut k, mut v] =
            timed_matmul("q, k, v projections", compute, normed.view(), weights);
        timed("norms and rope", Cost::default(), || {
            if let Some(biases) = &self.qkv_bias {
                for (x, bias) in [&mut q, &mut k, &mut v].into_iter().zip(biases) {
                    compute.par_rows(x.view_mut(), |_, mut rows| rows += bias);
                }
            }
            for (x, norm) in [(&mut q, 0), (&mut k, 1)] {
                compute.par_rows(x.view_mut(), |these, mut rows| {
                    if let Some(norms) = &self.qk_norms {
                        let (weight, eps) = (norms[norm].view(), self.eps);
                        Norm { rows: rows.view_mut(), weight, eps }.run_on(compute.backend);
                    }
                    let angles = pass.angles.slice(s![these, ..]);
                    match self.neighbours {
                        true => compute.backend.run(Neighbours { x: rows, angles }),
                        false => Rope { x: rows, angles }.run_on(compute.backend),
                    }
                });
            }
        });
        let mixed = attend([q.view(), k.view(), v.view()])?;
        let [out] = timed_matmul("o projection", compute, mixed.view(), [&self.o_proj]);
        self.add(compute, 0, x.view_mut(), &out);

        let renormed = rms_norm_rows(compute, x.view(), self.ffn_norm.view(), self.eps);
        let fed = self.mlp(compute, renormed.view());
        self.add(compute, 1, x.view_mut(), &fed);
        for matrix in [normed, q, k, v, mixed, out, renormed, fed] {
            compute.buffers.put(matrix);
        }
        Ok(x)
    }

    /// One projection opens or closes the gates of another. x: [rows, hidden] -> same
    fn mlp(&self, compute: &ComputeContext, x: ArrayView2<f32>) -> Array2<f32> {
        let weights = [&self.gate_proj, &self.up_proj];
        let [mut gate, up] = timed_matmul("gate, up projections", compute, x, weights);
        timed("gates", Cost::default(), || {
            compute.par_rows(gate.view_mut(), |these, gate| {
                let up = up.slice(s![these, ..]);
                compute.backend.run(Gates { gate, up, gelu: self.gelu });
            });
        });
        let [out] = timed_matmul("down projection", compute, gate.view(), [&self.down_proj]);
        for matrix in [gate, up] {
            compute.buffers.put(matrix);
        }
        out
    }

    /// Adds what one half of the layer gave, through its norm if it has one. x and more: [rows, hidden]
    fn add(
        &self,
        compute: &ComputeContext,
        half: usize,
        x: ArrayViewMut2<f32>,
        more: &Array2<f32>,
    ) {
        let norm = self.post_norms.as_ref().map(|norms| norms[half].view());
        let normed = norm.map(|norm| rms_norm_rows(compute, more.view(), norm, self.eps));
        let more = normed.as_ref().unwrap_or(more);
        timed("additions", Cost::default(), || {
            compute.par_rows(x, |these, mut rows| rows += &more.slice(s![these, ..]));
        });
        normed.into_iter().for_each(|normed| compute.buffers.put(normed));
    }
}

/// Some vectors, if this family has them.
fn vectors<const N: usize>(
    loader: &mut Loader,
    there: bool,
    names: [String; N],
) -> Result<Option<[Array1<f32>; N]>, Error> {
    let vectors = names.iter().filter(|_| there).map(|name| loader.vector(name));
    Ok(vectors.collect::<Result<Vec<_>, _>>()?.try_into().ok())
}
