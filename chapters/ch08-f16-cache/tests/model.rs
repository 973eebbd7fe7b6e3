//! Chapter 8: the same bits in every way, in both types of keys and values, at every depth; and what sixteen bits mean.

use std::num::NonZeroUsize;

use ch08_f16_cache::backend::Backend;
use ch08_f16_cache::cache::{CacheError, KvCache, KvType, Mode, Rows, Shape};
use ch08_f16_cache::kernels::Piece;
use ch08_f16_cache::model::Model;
use ch08_f16_cache::team::Team;
use ground::config::Config;
use ground::dtype::StoredType;
use ground::gguf::Gguf;
use half::f16;
use ndarray::{Array1, Axis};
use test_support::parts::assert_same_bits;
use test_support::tiny::{TinyShape, tiny_gguf_in};

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
const KV_TYPES: [KvType; 2] = [KvType::F32, KvType::F16];

/// A model of noise, wide enough for the K types.
fn noise(layers: usize, stored: StoredType) -> Gguf {
    let (heads, kv_heads, head_dim) = (4, 2, 64);
    let shape =
        TinyShape { layers, hidden: 256, heads, kv_heads, head_dim, ffn: 256, tied: true };
    Gguf::from_vec(tiny_gguf_in(shape, |_| stored).to_bytes()).expect("it opens")
}

/// A team that shares even the smallest work.
fn load(file: &Gguf, backend: Backend, threads: usize, kv_type: KvType) -> Model<'_> {
    let config = Config::from_gguf(file).expect("its config is sound");
    let mut team = Team::new(backend, threads).expect("a few threads start");
    team.small = 1;
    Model::load(file, config, team, kv_type).expect("the model loads")
}

fn ids(model: &Model, count: usize) -> Vec<u32> {
    (0..count).map(|i| ((i * 7919 + 13) % model.config.vocab) as u32).collect()
}

/// The logits after the last of these tokens: all but this one in chunks, and it as a decode step.
fn cached(model: &Model, ids: &[u32], mode: Mode, chunk: usize) -> Array1<f32> {
    let cache = mode.cache(&model.config, model.kv_type, ids.len());
    through(model, ids, &mut *cache.expect("there is memory").expect("a cache"), chunk)
}

fn through(model: &Model, ids: &[u32], cache: &mut dyn KvCache, chunk: usize) -> Array1<f32> {
    let (last, before) = ids.split_last().expect("a token");
    let chunk = NonZeroUsize::new(chunk).expect("not 0");
    let mut go_on = |ids: &[u32], position| {
        let watch = &mut |_| true;
        let logits = model.forward_in_chunks(ids, position, Some(&mut *cache), chunk, watch);
        logits.expect("there is room").expect("nothing ends it")
    };
    if !before.is_empty() {
        go_on(before, 0);
    }
    go_on(&[*last], before.len()).into()
}

/// The same without a cache: everything at once, and no row is ever a lone one.
fn anew(model: &Model, ids: &[u32]) -> Array1<f32> {
    let logits = model.forward(ids, 0, None, &mut |_| true);
    logits.expect("there is memory").expect("nothing ends it").into()
}

fn assert_same(found: &Array1<f32>, expected: &Array1<f32>, what: &str) {
    let rows = [found, expected].map(|logits| logits.view().insert_axis(Axis(0)));
    assert!(
        expected.iter().all(|logit| logit.is_finite()),
        "{what}: a model that says nothing"
    );
    assert_same_bits(rows[0], rows[1], what);
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
    let settings =
        [TYPES.len(), depths.len(), backends.len(), THREADS.len(), CHUNKS.len(), 2, 2];
    for choice in pairs(&settings) {
        let [stored, depth, backend, threads, chunk, kv_type, mode] = choice[..] else {
            unreachable!("a value for each")
        };
        let file = noise(2, TYPES[stored]);
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

#[test]
#[ignore = "cargo prove: five thousand tokens"]
fn far_into_a_text() {
    let file = noise(1, StoredType::Q8_0);
    let backends = Backend::available();
    for kv_type in KV_TYPES {
        let plain = load(&file, backends[0], 2, kv_type);
        let ids = ids(&plain, 5001);
        let expected = anew(&plain, &ids);
        for backend in [backends[0], backends[backends.len() - 1]] {
            let model = load(&file, backend, 2, kv_type);
            for chunk in [64, 512] {
                let found = cached(&model, &ids, Mode::Contiguous, chunk);
                let what = format!("{kv_type:?}, {backend:?}, chunks of {chunk}");
                assert_same(&found, &expected, &what);
            }
        }
    }
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
    fn piece(&self, layer: usize, index: usize) -> Result<Piece<'_>, CacheError> {
        self.0.piece(layer, index)
    }
    fn truncate(&mut self, length: usize) {
        self.0.truncate(length);
    }
}

/// So all that holds for f32, and is held to the judge, holds for sixteen bits too, but for the rounding itself.
#[test]
fn sixteen_bits_are_f32_with_rounded_rows_and_nothing_else() {
    for file in [noise(2, StoredType::Q8_0), ground::embedded::tiny_qwen3().expect("it opens")]
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
    let file = noise(1, StoredType::F32);
    for [model, cache] in [KV_TYPES, [KvType::F16, KvType::F32]] {
        let model = load(&file, Backend::available()[0], 1, model);
        let other = Mode::Contiguous.cache(&model.config, cache, 8).expect("there is memory");
        let mut other = other.expect("a cache");
        let refused = model.forward(&[1], 0, Some(&mut *other), &mut |_| true);
        let [found, expected] = [cache, model.kv_type].map(|kv_type| (1, 128, 64, kv_type));
        assert_eq!(refused, Err(CacheError::OtherModel { found, expected }));
    }
}
