//! Chapter 6: attention in blocks. The tests are those of tests/shared.

use ch06_fast_prefill as engine;
use engine::attention;
use engine::compute::ComputeContext;
use engine::kernels::{BLOCK_SIZE, BlockView};
use ground::config::Config;
use ndarray::{Array2, ArrayView2, Axis};

#[path = "../../../tests/shared/attention.rs"]
mod tests;

pub struct Way {
    pub name: &'static str,
    pub attend: Attend,
    pub kept: fn(f32) -> f32,
    pub dot: fn(&[f32], &[f32]) -> f32,
    pub mix: Mix,
}

type Mix = fn(&mut [f32], f32, &[f32], &[Vec<f32>]);

type Attend = fn(
    &ComputeContext,
    ArrayView2<f32>,
    ArrayView2<f32>,
    ArrayView2<f32>,
    usize,
    &Config,
) -> Array2<f32>;

pub const WAYS: &[Way] =
    &[Way { name: "f32", attend, kept: |number| number, dot: tests::dot, mix: tests::mix }];

/// With each block in memory of its own.
fn attend(
    compute: &ComputeContext,
    q: ArrayView2<f32>,
    k: ArrayView2<f32>,
    v: ArrayView2<f32>,
    position: usize,
    config: &Config,
) -> Array2<f32> {
    let blocks =
        k.axis_chunks_iter(Axis(0), BLOCK_SIZE).zip(v.axis_chunks_iter(Axis(0), BLOCK_SIZE));
    let apart: Vec<_> = blocks.map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
    let blocks: Vec<BlockView> = apart.iter().map(|(k, v)| (k.view(), v.view())).collect();
    attention::attend(compute, q, &blocks, position, config)
}
