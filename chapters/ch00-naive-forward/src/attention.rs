use ground::config::Config;
use ndarray::{Array2, ArrayView2};

use crate::matmul::{dot, matmul, row_of};
use crate::norm::rms_norm_heads;
use crate::rope::rope;
use crate::softmax::softmax;
use crate::weights::Layer;

/// Lets every token gather from the tokens before it and from itself. x: [rows, hidden] -> same
pub fn attention(x: ArrayView2<f32>, layer: &Layer, config: &Config) -> Array2<f32> {
    let mut q = matmul(x, layer.q_proj.view()); // [rows, heads * head_dim]
    let mut k = matmul(x, layer.k_proj.view()); // [rows, kv_heads * head_dim]
    let v = matmul(x, layer.v_proj.view()); // [rows, kv_heads * head_dim]

    rms_norm_heads(&mut q, layer.q_norm.view(), config.rms_eps);
    rms_norm_heads(&mut k, layer.k_norm.view(), config.rms_eps);
    rope(&mut q, config.head_dim, config.rope_theta, 0);
    rope(&mut k, config.head_dim, config.rope_theta, 0);

    let mixed = attend(q.view(), k.view(), v.view(), config);
    matmul(mixed.view(), layer.o_proj.view())
}

/// For every query the mean of the values, weighted by how well their keys fit.
/// q: [rows, heads * head_dim], k and v: [rows, kv_heads * head_dim] -> shape of q
pub fn attend(
    q: ArrayView2<f32>,
    k: ArrayView2<f32>,
    v: ArrayView2<f32>,
    config: &Config,
) -> Array2<f32> {
    let head_dim = config.head_dim;
    let queries_per_kv_head = config.heads / config.kv_heads;
    let scale = 1.0 / (head_dim as f32).sqrt();
    let mut out = Array2::zeros(q.dim());

    for (row, mut out) in out.rows_mut().into_iter().enumerate() {
        // A token sees itself and what came before it, never what comes after.
        let key_count = row + 1;
        let out = out.as_slice_mut().expect("a row lies in one piece");
        for (head, mixed) in out.chunks_exact_mut(head_dim).enumerate() {
            let query = &row_of(q, row)[head * head_dim..][..head_dim];
            let shared = head / queries_per_kv_head * head_dim;
            let part = |x, key| &row_of(x, key)[shared..][..head_dim];

            let mut scores: Vec<f32> =
                (0..key_count).map(|key| dot(query, part(k, key)) * scale).collect();
            softmax(&mut scores);
            for (key, weight) in scores.iter().enumerate() {
                for (mixed, value) in mixed.iter_mut().zip(part(v, key)) {
                    *mixed += weight * value;
                }
            }
        }
    }
    out
}
