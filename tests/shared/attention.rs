//! Attention in blocks against its definition, bit for bit, in every backend of this CPU, however the work is cut; and
//! against a softmax over all keys at once, in f64.

use crate::engine::backend::Backend;
use crate::engine::compute::ComputeContext;
use crate::engine::exp::exp;
use crate::engine::simd::{Kernel, Scalar, Simd};
use crate::{WAYS, Way};
use ground::config::Config;
use ground::random::SplitMix64;
use ndarray::{Array2, s};

/// Heads, kv heads, head_dim.
const SHAPES: [(usize, usize, usize); 5] =
    [(4, 2, 64), (3, 1, 16), (2, 2, 40), (1, 1, 8), (6, 2, 80)];
/// Of the text: blocks are 64 positions long.
const LENGTHS: [usize; 7] = [1, 2, 63, 64, 65, 128, 150];

/// All backends of this CPU, and plain Rust as on a CPU without fused multiply-add.
fn backends() -> Vec<Backend> {
    let mut backends = Backend::available();
    backends.push(Backend::Scalar(Scalar::without_fma()));
    backends
}

/// A team that shares even the smallest work.
fn eager(backend: Backend, threads: usize) -> ComputeContext {
    let mut compute = ComputeContext::new(backend, threads).expect("a few threads start");
    compute.small = 1;
    compute
}

fn config((heads, kv_heads, head_dim): (usize, usize, usize)) -> Config {
    let file = ground::embedded::tiny_qwen3().expect("the embedded model opens");
    let config = Config::from_gguf(&file).expect("its config is sound");
    Config { heads, kv_heads, head_dim, ..config }
}

struct Text {
    q: Array2<f32>,
    k: Array2<f32>,
    v: Array2<f32>,
    config: Config,
}

fn text(shape: (usize, usize, usize), length: usize) -> Text {
    let (heads, kv_heads, head_dim) = shape;
    let mut noise = SplitMix64::new((length * heads + head_dim) as u64);
    let mut numbers = |width| {
        let number = |_| 4.0 * noise.fraction() as f32 - 2.0;
        Array2::from_shape_fn((length, width), number)
    };
    Text {
        q: numbers(heads * head_dim),
        k: numbers(kv_heads * head_dim),
        v: numbers(kv_heads * head_dim),
        config: config(shape),
    }
}

/// Sixteen lanes, then lanes 8 apart, 4, 2, 1.
fn tree(mut lanes: [f32; 16]) -> f32 {
    for half in [8, 4, 2, 1] {
        for lane in 0..half {
            lanes[lane] += lanes[lane + half];
        }
    }
    lanes[0]
}

/// A query with a key.
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; 16];
    for i in 0..a.len().next_multiple_of(16) {
        let at = |row: &[f32]| row.get(i).copied().unwrap_or(0.0);
        lanes[i % 16] = at(a).mul_add(at(b), lanes[i % 16]);
    }
    tree(lanes)
}

/// Adds values, each times its weight, to what counts less by a factor.
pub fn mix(mixed: &mut [f32], factor: f32, weights: &[f32], values: &[Vec<f32>]) {
    for number in &mut *mixed {
        *number *= factor;
    }
    for (weight, values) in weights.iter().zip(values) {
        for (number, &value) in mixed.iter_mut().zip(values) {
            *number = weight.mul_add(value, *number);
        }
    }
}

/// What attention is, written down as plainly as possible.
fn defined(way: &Way, text: &Text) -> Array2<f32> {
    let (k, v) = (text.k.mapv(way.kept), text.v.mapv(way.kept));
    let &Config { heads, kv_heads, head_dim, .. } = &text.config;
    let mut out = Array2::zeros(text.q.dim());
    let of = |rows: &Array2<f32>, position: usize, head: usize| {
        rows.slice(s![position, head * head_dim..(head + 1) * head_dim]).to_vec()
    };
    for position in 0..text.q.nrows() {
        for head in 0..heads {
            let kv_head = head / (heads / kv_heads);
            let q = of(&text.q, position, head);
            let (mut largest, mut sum, mut mixed) =
                (f32::MIN, 0.0_f32, vec![0.0_f32; head_dim]);
            for start in (0..=position).step_by(64) {
                let keys = start..(position + 1).min(start + 64);
                let scale = 1.0 / (head_dim as f32).sqrt();
                let score = |key| (way.dot)(&q, &of(&k, key, kv_head)) * scale;
                let scores: Vec<f32> = keys.clone().map(score).collect();
                let before = largest;
                for &score in &scores {
                    if score > largest {
                        largest = score;
                    }
                }
                let factor = exp(before - largest);
                let mut lanes = [0.0; 16];
                let weights = scores.iter().map(|score| exp(score - largest));
                let weights: Vec<f32> = weights.collect();
                for (i, weight) in weights.iter().enumerate() {
                    lanes[i % 16] += weight;
                }
                let values: Vec<_> = keys.map(|key| of(&v, key, kv_head)).collect();
                (way.mix)(&mut mixed, factor, &weights, &values);
                sum = sum.mul_add(factor, tree(lanes));
            }
            for (i, number) in mixed.into_iter().enumerate() {
                out[[position, head * head_dim + i]] = number / sum;
            }
        }
    }
    out
}

/// Chunk after chunk, as a prompt that is read in chunks.
fn in_chunks(way: &Way, compute: &ComputeContext, text: &Text, chunk: usize) -> Array2<f32> {
    let mut out = Array2::zeros(text.q.dim());
    for start in (0..text.q.nrows()).step_by(chunk) {
        let end = text.q.nrows().min(start + chunk);
        let (q, k) = (text.q.slice(s![start..end, ..]), text.k.slice(s![..end, ..]));
        let v = text.v.slice(s![..end, ..]);
        let found = (way.attend)(compute, q, k, v, start, &text.config);
        out.slice_mut(s![start..end, ..]).assign(&found);
        let mut dirty = found;
        dirty.fill(f32::NAN); // what the next one finds on the shelf
        compute.buffers.put(dirty);
        compute.buffers.put_many(vec![f32::NAN; 30_000]);
    }
    out
}

/// Equal bits; which of the many NaNs it is may differ.
fn assert_same(found: &Array2<f32>, expected: &Array2<f32>, what: &str) {
    assert_eq!(found.dim(), expected.dim(), "{what}");
    for ((place, a), b) in found.indexed_iter().zip(expected) {
        let same = a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
        assert!(same, "{what}, output {place:?}: {a:e} instead of {b:e}");
    }
}

fn assert_defined(text: &Text, what: &str) {
    for way in WAYS {
        // What a way cannot keep it refuses: that has tests of its own.
        let refused = |x: &f32| x.is_finite() && !(way.kept)(*x).is_finite();
        if text.k.iter().chain(&text.v).any(refused) {
            continue;
        }
        let expected = defined(way, text);
        for backend in backends() {
            for chunk in [1, 7, 64, 512] {
                let found = in_chunks(way, &eager(backend, 1), text, chunk);
                let what = format!("{what}, {}, {backend:?}, chunks of {chunk}", way.name);
                assert_same(&found, &expected, &what);
            }
        }
    }
}

#[test]
fn every_shape_and_length() {
    for shape in SHAPES {
        for length in LENGTHS {
            assert_defined(&text(shape, length), &format!("{shape:?}, {length} positions"));
        }
    }
    assert_defined(&text((16, 8, 128), 65), "as in the official model");
}

/// A lone query is shared out by columns, and the second share begins in the middle of a head.
#[test]
fn some_threads() {
    let text = text((2, 2, 40), 5);
    for way in WAYS {
        let found = in_chunks(way, &eager(backends()[0], 3), &text, 1);
        assert_same(&found, &defined(way, &text), way.name);
    }
}

#[test]
#[ignore = "cargo prove: every number of threads"]
fn any_threads() {
    for (shape, length) in [((4, 2, 64), 200), ((3, 1, 16), 131), ((2, 2, 40), 97)] {
        let text = text(shape, length);
        for (way, backend) in WAYS
            .iter()
            .flat_map(|way| Backend::available().into_iter().map(move |backend| (way, backend)))
        {
            let expected = defined(way, &text);
            for threads in [1, 2, 3, 8] {
                let compute = eager(backend, threads);
                for chunk in [1, 7, 64, length] {
                    let what = format!(
                        "{shape:?}, {}, {backend:?}, {threads} threads, {chunk}",
                        way.name
                    );
                    assert_same(&in_chunks(way, &compute, &text, chunk), &expected, &what);
                }
            }
        }
    }
}

/// The largest score comes in a later block, by little and by much, or in the first one.
#[test]
fn a_larger_score_comes_later() {
    larger_scores(&[64, 127], &[20.0]);
}

#[test]
#[ignore = "cargo prove: other places and sizes"]
fn a_larger_score_comes_anywhere() {
    larger_scores(&[0, 63, 64, 100, 127, 128, 149], &[1.5, 20.0, 1e4]);
}

fn larger_scores(places: &[usize], sizes: &[f32]) {
    for &at in places {
        for &size in sizes {
            let mut text = text((4, 2, 64), 150);
            let larger = &text.k.row(at) * size;
            text.k.row_mut(at).assign(&larger);
            assert_defined(&text, &format!("key {at} times {size}"));
        }
    }
}

#[test]
fn numbers_that_no_prompt_brings_about() {
    for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, 1e30, -1e30, 1e-40, -0.0]
    {
        for at in [0, 63, 64] {
            for rows in 0..3 {
                let mut text = text((2, 1, 16), 70);
                [&mut text.q, &mut text.k, &mut text.v][rows].row_mut(at).fill(odd);
                assert_defined(&text, &format!("{odd:e} at {at} in {rows}"));
            }
        }
    }
}

/// Scores that are all minus infinity count alike, and nothing beside any other score.
#[test]
fn no_score_is_too_small() {
    let mut text = text((1, 1, 16), 130);
    text.q.fill(1.0);
    text.k.fill(f32::NEG_INFINITY);
    text.k.row_mut(129).fill(0.5);
    let found = in_chunks(&WAYS[0], &eager(Backend::available()[0], 1), &text, 512);
    assert!(found.iter().all(|number| number.is_finite()));
    let near = |a: f32, b: f32| (a - b).abs() < 1e-5;
    let mean = text.v.slice(s![..129, 3]).sum() / 129.0;
    assert!(near(found[[128, 3]], mean), "{} is not {mean}", found[[128, 3]]);
    assert!(near(found[[129, 3]], text.v[[129, 3]]));
}

#[test]
fn it_is_nearly_softmax_over_all_keys() {
    let text = text((4, 2, 64), 400);
    let found = in_chunks(
        &WAYS[0],
        &eager(Backend::choose("auto").expect("there is one"), 2),
        &text,
        512,
    );
    for position in [0, 1, 63, 64, 65, 399] {
        for head in 0..4 {
            let wide = |rows: &Array2<f32>, row: usize, head: usize, i: usize| {
                f64::from(rows[[row, head * 64 + i]])
            };
            let scores: Vec<f64> = (0..=position)
                .map(|key| {
                    let product =
                        |i| wide(&text.q, position, head, i) * wide(&text.k, key, head / 2, i);
                    (0..64).map(product).sum::<f64>() / 8.0
                })
                .collect();
            let sum: f64 = scores.iter().map(|score| score.exp()).sum();
            for i in 0..64 {
                let value = |(key, score): (usize, &f64)| {
                    score.exp() / sum * wide(&text.v, key, head / 2, i)
                };
                let expected: f64 = scores.iter().enumerate().map(value).sum();
                let off = (wide(&found, position, head, i) - expected).abs();
                assert!(off < 1e-5, "position {position}, head {head}, {i}: off by {off:e}");
            }
        }
    }
}

#[test]
fn no_rows() {
    for (way, backend) in
        WAYS.iter().flat_map(|way| backends().into_iter().map(move |backend| (way, backend)))
    {
        let text = text((4, 2, 64), 5);
        let (q, k, v) = (text.q.slice(s![..0, ..]), text.k.view(), text.v.view());
        let compute = eager(backend, 2);
        assert_eq!((way.attend)(&compute, q, k, v, 5, &text.config).dim(), (0, 256));
        let none = text.k.slice(s![..0, ..]);
        assert_eq!((way.attend)(&compute, q, none, none, 0, &text.config).dim(), (0, 256));
    }
}

/// The sums of eight registers are those of each alone.
#[test]
fn eight_sums_at_once() {
    struct Sums<'a>(&'a [[f32; 16]; 8]);
    impl Kernel for Sums<'_> {
        #[inline(always)]
        fn run<S: Simd>(self, simd: S) {
            let mut eight = [simd.load(&self.0[0]); 8];
            for (lanes, numbers) in eight.iter_mut().zip(self.0) {
                *lanes = simd.load(numbers);
            }
            let sums = simd.sum_eight(eight);
            for ((sum, lanes), numbers) in sums.iter().zip(eight).zip(self.0) {
                assert_eq!(sum.to_bits(), tree(*numbers).to_bits());
                assert_eq!(sum.to_bits(), simd.sum(lanes).to_bits());
            }
        }
    }
    let mut noise = SplitMix64::new(8);
    for _ in 0..1000 {
        let mut eight = [[0.0; 16]; 8];
        for number in eight.as_flattened_mut() {
            *number = (noise.fraction() as f32 - 0.5) * 4.0_f32.powi(noise.below(20) as i32);
        }
        for backend in backends() {
            backend.run(Sums(&eight));
        }
    }
}
