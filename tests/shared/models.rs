//! Models of noise from chapter 8 on, and what they compute with one cache or another.
#![allow(dead_code)] // no file of tests uses all of it

use std::num::NonZeroUsize;

use crate::engine::backend::Backend;
use crate::engine::cache::{KvCache, KvType, Mode};
use crate::engine::compute::ComputeContext;
use crate::engine::model::Model;
use ground::config::Config;
use ground::gguf::Gguf;
use ndarray::ArrayView2;
use test_support::parts::assert_same_bits;
use test_support::tiny::{TinyShape, tiny_gguf_of};

pub const KV_TYPES: [KvType; 3] = [KvType::F32, KvType::F16, KvType::Q8_0];

pub fn noise(shape: TinyShape) -> Gguf {
    Gguf::from_vec(tiny_gguf_of(shape).to_bytes()).expect("it opens")
}

/// With a team that shares even the smallest work.
pub fn load(file: &Gguf, backend: Backend, threads: usize, kv_type: KvType) -> Model<'_> {
    let config = Config::from_gguf(file).expect("its config is sound");
    let mut compute = ComputeContext::new(backend, threads).expect("a few threads start");
    compute.small = 1;
    Model::load(file, config, compute, kv_type).expect("the model loads")
}

/// One that never meets another.
pub fn contiguous(model: &Model, positions: usize) -> Box<dyn KvCache> {
    let cache = Mode::Contiguous.cache(&model.config, model.kv_type, positions);
    cache.expect("there is memory").expect("a cache")
}

/// The logits after the last of these tokens; those before the cache's length are known.
pub fn go_on(model: &Model, cache: &mut dyn KvCache, ids: &[u32], chunk: usize) -> Vec<f32> {
    let (length, chunk) = (cache.shape().length, NonZeroUsize::new(chunk).expect("not 0"));
    let new = &ids[length..];
    let logits = model.forward_in_chunks(new, length, Some(cache), chunk, &mut |_| true);
    logits.expect("there is room").expect("nothing ends it")
}

pub fn assert_same(found: &[f32], expected: &[f32], what: &str) {
    let row = |logits| ArrayView2::from_shape((1, expected.len()), logits).expect("a row");
    assert!(expected.iter().all(|logit| logit.is_finite()), "{what}: it says nothing");
    assert_same_bits(row(found), row(expected), what);
}
