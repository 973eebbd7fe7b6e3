use ground::config::Config;
use ndarray::{Array2, ArrayView2};

use crate::matmul::matmul;
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

    for row in 0..q.nrows() {
        // A token sees itself and what came before it, never what comes after.
        let key_count = row + 1;
        for head in 0..config.heads {
            let query = head * head_dim;
            let shared = head / queries_per_kv_head * head_dim;

            let mut scores = vec![0.0; key_count];
            for (key, score) in scores.iter_mut().enumerate() {
                let mut dot = 0.0;
                for i in 0..head_dim {
                    dot += q[[row, query + i]] * k[[key, shared + i]];
                }
                *score = dot * scale;
            }
            softmax(&mut scores);
            for (key, weight) in scores.iter().enumerate() {
                for i in 0..head_dim {
                    out[[row, query + i]] += weight * v[[key, shared + i]];
                }
            }
        }
    }
    out
}
