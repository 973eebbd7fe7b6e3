//! Chapter 8: attention to keys and values of eight bits, through a cache, against its definition in plain loops. The tests are those of tests/shared.

use ch08_f16_cache as engine;
use engine::attention;
use engine::cache::{ContiguousCache, KvCache, KvType};
use engine::compute::ComputeContext;
use engine::kernels::BLOCK_SIZE;
use ground::config::Config;
use half::bf16;
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
    // The first is held to softmax itself, which only f32 comes near.
    Way {
        name: "f32",
        attend: through::<false>,
        kept: |number| number,
        dot: tests::dot,
        mix: tests::mix,
    },
    Way {
        name: "q8_0",
        attend: through::<true>,
        kept: |number| number,
        dot: integer_dot,
        mix: integer_mix,
    },
];

/// Integers from -127 to 127 and their scale, as coarse as `coarse` makes it. Without any for NaN and infinity.
fn rounded(numbers: &[f32], coarse: fn(f32) -> f32) -> (Vec<f32>, f32) {
    let largest = numbers
        .iter()
        .fold(0.0, |a: f32, b| if a.is_nan() || b.abs() <= a { a } else { b.abs() });
    let scale = coarse(largest / 127.0);
    if !(largest.is_finite() && scale.is_finite()) {
        return (vec![0.0; numbers.len()], f32::NAN);
    }
    if scale == 0.0 || (1.0 / scale).is_infinite() {
        return (vec![0.0; numbers.len()], 0.0);
    }
    let inverse = 1.0 / scale;
    (numbers.iter().map(|x| (x * inverse).round_ties_even()).collect(), scale)
}

/// Of what is kept a scale has eight bits.
fn coarse(scale: f32) -> f32 {
    let scale = bf16::from_f32(scale).to_f32();
    match scale {
        _ if (scale * 127.0).is_infinite() => f32::INFINITY,
        _ if scale < f32::MIN_POSITIVE => 0.0,
        _ => scale,
    }
}

/// Exact sums of 32 products, each times both scales.
fn integer_dot(q: &[f32], k: &[f32]) -> f32 {
    let mut sum = 0.0_f32;
    for (q, k) in q.chunks(32).zip(k.chunks(32)) {
        let ((q, q_scale), (k, k_scale)) = (rounded(q, |scale| scale), rounded(k, coarse));
        let exact: f32 = q.iter().zip(&k).map(|(q, k)| q * k).sum();
        sum = (k_scale * q_scale).mul_add(exact, sum);
    }
    sum
}

/// The weights of 32 values are rounded, each with the scale of its value.
fn integer_mix(mixed: &mut [f32], factor: f32, weights: &[f32], values: &[Vec<f32>]) {
    let values: Vec<_> = values.iter().map(|value| rounded(value, coarse)).collect();
    let scaled = |(weight, (_, scale)): (&f32, &(Vec<f32>, f32))| match *weight {
        0.0 => 0.0, // as of what isn't seen
        weight => weight * scale,
    };
    let weights: Vec<f32> = weights.iter().zip(&values).map(scaled).collect();
    for (column, number) in mixed.iter_mut().enumerate() {
        let mut sum = 0.0_f32;
        for half in 0..2 {
            let these = (32 * half).min(weights.len())..(32 * half + 32).min(weights.len());
            let (ints, scale) = rounded(&weights[these.clone()], |scale| scale);
            let products =
                ints.iter().zip(&values[these]).map(|(int, (value, _))| int * value[column]);
            sum = scale.mul_add(products.sum(), sum);
        }
        *number = number.mul_add(factor, sum);
    }
}

fn through<const EIGHT: bool>(
    compute: &ComputeContext,
    q: ArrayView2<f32>,
    k: ArrayView2<f32>,
    v: ArrayView2<f32>,
    position: usize,
    config: &Config,
) -> Array2<f32> {
    let kv_type = if EIGHT { KvType::Q8_0 } else { KvType::F32 };
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
