//! Chapter 8: attention to keys and values of both types, through a cache. The tests are those of tests/shared.

use ch08_f16_cache as engine;
use engine::attention;
use engine::cache::{ContiguousCache, KvCache, KvType};
use engine::compute::ComputeContext;
use engine::kernels::BLOCK_SIZE;
use ground::config::Config;
use half::f16;
use ndarray::{Array2, ArrayView2};

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

pub const WAYS: &[Way] = &[
    Way {
        name: "f32",
        attend: through::<false>,
        kept: |number| number,
        dot: tests::dot,
        mix: tests::mix,
    },
    // What is kept in sixteen bits is as good as f32 that was rounded: to the bit.
    Way {
        name: "f16",
        attend: through::<true>,
        kept: |number| f16::from_f32(number).to_f32(),
        dot: tests::dot,
        mix: tests::mix,
    },
];

fn through<const SIXTEEN: bool>(
    compute: &ComputeContext,
    q: ArrayView2<f32>,
    k: ArrayView2<f32>,
    v: ArrayView2<f32>,
    position: usize,
    config: &Config,
) -> Array2<f32> {
    let kv_type = if SIXTEEN { KvType::F16 } else { KvType::F32 };
    let heads = (config.kv_heads, config.head_dim);
    let mut cache = ContiguousCache::new(kv_type, 1, heads, None).expect("there is memory");
    // What a pass that failed has left behind the rows that count is not looked at.
    let left = Array2::from_elem((k.nrows().next_multiple_of(BLOCK_SIZE), k.ncols()), f32::NAN);
    cache.write(0, (left.view(), left.view())).expect("NaN can be kept");
    cache.write(0, (k, v)).expect("every number can be kept");
    let blocks = (0..k.nrows().div_ceil(BLOCK_SIZE)).map(|block| cache.block(0, block));
    let blocks: Vec<_> = blocks.collect::<Result<_, _>>().expect("they are written");
    attention::attend(compute, q, &blocks, position, usize::MAX, config)
}
