//! Chapter 8: the same bits in every way, in each type of keys and values, at every depth; and what sixteen bits mean.

use ch08_f16_cache as engine;

use engine::backend::Backend;
use engine::cache::{CacheError, KvCache, KvType, Mode, Rows, Shape};
use engine::kernels::BlockView;
use engine::model::Model;
use ground::dtype::StoredType;
use ground::gguf::Gguf;
use half::f16;
use models::{KV_TYPES, assert_same, go_on, load};
use test_support::tiny::{TinyShape, tiny_gguf_in};

#[path = "../../../tests/shared/models.rs"]
mod models;

const TYPES: [StoredType; 7] = [
    StoredType::F32,
    StoredType::F16,
    StoredType::Q8_0,
    StoredType::Q4_0,
    StoredType::Q4_K,
    StoredType::Q5_K,
    StoredType::Q6_K,
];
const THREADS: [usize; 4] = [1, 2, 3, 8];
const CHUNKS: [usize; 4] = [1, 7, 64, 512];
const DEPTHS: [usize; 7] = [1, 63, 64, 65, 127, 128, 129];

/// A model of noise, wide enough for the K types.
fn wide_noise(layers: usize, stored: StoredType) -> Gguf {
    let (heads, kv_heads, head_dim) = (4, 2, 64);
    let shape =
        TinyShape { layers, hidden: 256, heads, kv_heads, head_dim, ffn: 256, tied: true };
    Gguf::from_vec(tiny_gguf_in(shape, |_| stored).to_bytes()).expect("it opens")
}

fn ids(model: &Model, count: usize) -> Vec<u32> {
    (0..count).map(|i| ((i * 7919 + 13) % model.config.vocab) as u32).collect()
}

/// The logits after the last of these tokens: all but this one in chunks, and it as a decode step.
fn cached(model: &Model, ids: &[u32], mode: Mode, chunk: usize) -> Vec<f32> {
    let cache = mode.cache(&model.config, model.kv_type, ids.len());
    through(model, ids, &mut *cache.expect("there is memory").expect("a cache"), chunk)
}

fn through(model: &Model, ids: &[u32], cache: &mut dyn KvCache, chunk: usize) -> Vec<f32> {
    if ids.len() > 1 {
        go_on(model, cache, &ids[..ids.len() - 1], chunk);
    }
    go_on(model, cache, ids, 1)
}

/// The same without a cache: everything at once, and no row is ever a lone one.
fn anew(model: &Model, ids: &[u32]) -> Vec<f32> {
    let logits = model.forward(ids, 0, None, &mut |_| true);
    logits.expect("there is memory").expect("nothing ends it")
}

/// Choices of one value for each setting, so that any two values of two settings meet in one of them. Each is the one
/// in which most pairs meet that have not met yet, and of several the first.
fn pairs(settings: &[usize]) -> Vec<Vec<usize>> {
    let all: usize = settings.iter().product();
    let choice = |mut index: usize| -> Vec<usize> {
        let value = |&count: &usize| {
            let value = index % count;
            index /= count;
            value
        };
        settings.iter().map(value).collect()
    };
    let met = |choice: &[usize]| -> Vec<[usize; 4]> {
        let pair = |(a, b)| [a, choice[a], b, choice[b]];
        let settings = 0..choice.len();
        settings.clone().flat_map(|b| (0..b).map(move |a| (a, b))).map(pair).collect()
    };
    let mut left: std::collections::HashSet<_> =
        (0..all).flat_map(|i| met(&choice(i))).collect();
    let mut chosen = Vec::new();
    while !left.is_empty() {
        let new = |index: &usize| {
            met(&choice(*index)).iter().filter(|pair| left.contains(*pair)).count()
        };
        let best = (0..all).rev().max_by_key(new).expect("there are choices");
        for pair in met(&choice(best)) {
            left.remove(&pair);
        }
        chosen.push(choice(best));
    }
    chosen
}

fn all_pairs(depths: &[usize]) {
    let backends = Backend::available();
    let settings = [
        TYPES.len(),
        depths.len(),
        backends.len(),
        THREADS.len(),
        CHUNKS.len(),
        KV_TYPES.len(),
        2,
    ];
    for choice in pairs(&settings) {
        let [stored, depth, backend, threads, chunk, kv_type, mode] = choice[..] else {
            unreachable!("a value for each")
        };
        let file = wide_noise(2, TYPES[stored]);
        let kv_type = KV_TYPES[kv_type];
        let plain = load(&file, backends[0], 1, kv_type);
        let ids = ids(&plain, depths[depth] + 1);
        let model = load(&file, backends[backend], THREADS[threads], kv_type);
        let mode = [Mode::Contiguous, Mode::Basic][mode];
        let what = format!(
            "{}, {:?}, {} threads, chunks of {}, depth {}, {kv_type:?}, {mode:?}",
            TYPES[stored].name(),
            backends[backend],
            THREADS[threads],
            CHUNKS[chunk],
            depths[depth],
        );
        assert_same(&cached(&model, &ids, mode, CHUNKS[chunk]), &anew(&plain, &ids), &what);
    }
}

#[test]
fn some_pairs_of_settings() {
    all_pairs(&[1, 64, 65]);
}

#[test]
#[ignore = "cargo prove: every depth"]
fn all_pairs_of_settings() {
    all_pairs(&DEPTHS);
}

/// A cache of f32 that is given rounded rows.
struct Rounding(Box<dyn KvCache>);

impl KvCache for Rounding {
    fn shape(&self) -> Shape {
        Shape { kv_type: KvType::F16, ..self.0.shape() }
    }
    fn write(&mut self, layer: usize, (k, v): Rows) -> Result<(), CacheError> {
        let [k, v] = [k, v].map(|rows| rows.mapv(|number| f16::from_f32(number).to_f32()));
        self.0.write(layer, (k.view(), v.view()))
    }
    fn advance(&mut self, rows: usize) {
        self.0.advance(rows);
    }
    fn block(&self, layer: usize, index: usize) -> Result<BlockView<'_>, CacheError> {
        self.0.block(layer, index)
    }
    fn truncate(&mut self, length: usize) {
        self.0.truncate(length);
    }
}

/// So all that holds for f32, and is held to the judge, holds for sixteen bits too, but for the rounding itself.
#[test]
fn sixteen_bits_are_f32_with_rounded_rows_and_nothing_else() {
    for file in
        [wide_noise(2, StoredType::Q8_0), ground::embedded::tiny_qwen3().expect("it opens")]
    {
        for backend in Backend::available() {
            let model = load(&file, backend, 2, KvType::F16);
            let ids = ids(&model, 130);
            let wide = Mode::Basic.cache(&model.config, KvType::F32, 130);
            let mut wide = Rounding(wide.expect("there is memory").expect("a cache"));
            let expected = through(&model, &ids, &mut wide, 64);
            let found = cached(&model, &ids, Mode::Contiguous, 64);
            assert_same(&found, &expected, &format!("{backend:?}"));
            let f32 = load(&file, backend, 2, KvType::F32);
            assert_ne!(found, cached(&f32, &ids, Mode::Contiguous, 64), "nothing was rounded");
        }
    }
}

#[test]
fn a_cache_of_the_other_type_is_refused() {
    let file = wide_noise(1, StoredType::F32);
    for [model, cache] in [[KvType::F32, KvType::F16], [KvType::F16, KvType::Q8_0]] {
        let model = load(&file, Backend::available()[0], 1, model);
        let other = Mode::Contiguous.cache(&model.config, cache, 8).expect("there is memory");
        let mut other = other.expect("a cache");
        let refused = model.forward(&[1], 0, Some(&mut *other), &mut |_| true);
        let [found, expected] = [cache, model.kv_type].map(|kv_type| (1, 128, 64, kv_type));
        assert_eq!(refused, Err(CacheError::OtherModel { found, expected }));
    }
}
