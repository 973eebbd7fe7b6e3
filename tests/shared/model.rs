//! Whole models with weights in blocks. However they are computed, not one bit differs. Each chapter says how it is asked
//! for the logits of all rows.

use crate::all_logits;
use crate::engine::backend::Backend;
use crate::engine::cache::Mode;
use crate::engine::compute::ComputeContext;
use crate::engine::model::Model;
use ground::config::Config;
use ground::dtype::StoredType;
use ground::gguf::Gguf;
use ground::request::best;
use ndarray::{Array2, s};
use test_support::parts::assert_same_bits;
use test_support::tiny::{TinyGguf, TinyShape, number_of, tiny_gguf, tiny_gguf_in};

const THREADS: [usize; 4] = [1, 2, 3, 8];
/// A block of queries and some of the next one.
const PROMPT: usize = 27;
const NEW: usize = 2;

/// A team that shares even the smallest work.
fn eager(backend: Backend, threads: usize) -> ComputeContext {
    let mut compute = ComputeContext::new(backend, threads).expect("a few threads start");
    compute.small = 1;
    compute
}

fn load(file: &Gguf, compute: ComputeContext) -> Model<'_> {
    let config = Config::from_gguf(file).expect("its config is sound");
    Model::load(file, config, compute).expect("the model loads")
}

fn plain(file: &Gguf) -> Model<'_> {
    load(file, eager(Backend::available()[0], 1))
}

fn prompt(model: &Model) -> Vec<u32> {
    (0..PROMPT).map(|i| ((i * 7919 + 13) % model.config.vocab) as u32).collect()
}

/// Tokens that follow a prompt, the best each time, and the logits after every position. The cache is filled chunk by
/// chunk; without one, everything is computed for every token.
fn reply(model: &Model, mode: Mode, prompt: &[u32], chunk: usize) -> (Vec<u32>, Array2<f32>) {
    let mut cache = mode.cache(&model.config, prompt.len() + NEW).expect("there is memory");
    let (mut ids, mut numbers, mut done) = (prompt.to_vec(), Vec::new(), 0);
    while done < ids.len() {
        let (start, end) = match cache {
            Some(_) => (done, ids.len().min(done + chunk)),
            None => (0, ids.len()),
        };
        let lent = cache.as_deref_mut();
        let rows = all_logits(model, &ids[start..end], start, lent);
        numbers.extend(rows.slice(s![done - start.., ..]));
        done = end;
        if done == ids.len() && done < prompt.len() + NEW {
            let last = rows.row(rows.nrows() - 1);
            ids.push(best(last.to_slice().expect("a row lies in one piece"), 1)[0].0);
        }
    }
    let shape = (ids.len(), model.config.vocab);
    (ids, Array2::from_shape_vec(shape, numbers).expect("a row for every token"))
}

/// All ways of computing the same: backends, threads, caches, chunks.
fn assert_one_reply(file: &Gguf) {
    let model = plain(file);
    let (name, prompt) = (&model.config.name, prompt(&model));
    let (expected_ids, expected) = reply(&model, Mode::Off, &prompt, PROMPT);
    assert!(
        expected.iter().all(|logit| logit.is_finite()),
        "{name}: a model that says nothing"
    );
    for backend in Backend::available() {
        for threads in THREADS {
            let model = load(file, eager(backend, threads));
            let with = |mode| [1, 7, 25, PROMPT].map(|chunk| (mode, chunk));
            let cached = [Mode::Basic, Mode::Contiguous].into_iter().flat_map(with);
            for (mode, chunk) in cached.chain([(Mode::Off, PROMPT)]) {
                let (ids, found) = reply(&model, mode, &prompt, chunk);
                let what = format!("{name}, {backend:?}, {threads} threads, {mode:?}, {chunk}");
                assert_same_bits(found.view(), expected.view(), &what);
                assert_eq!(ids, expected_ids, "{what}");
            }
        }
    }
}

fn fixture(name: &str) -> Gguf {
    let folder = test_support::root().join("tests/fixtures/models");
    Gguf::open(&folder.join(name)).expect("it opens")
}

/// One of them has the pool and the other computes alone, and both take memory from the same shelves.
#[test]
fn two_callers_of_one_model_get_the_bits_that_each_gets_alone() {
    let file = fixture("three-to-one-odd-vocab.gguf");
    for file in [file, ground::embedded::tiny_qwen3().expect("the embedded model opens")] {
        let model = load(&file, eager(Backend::choose("auto").expect("there is one"), 3));
        let prompt = prompt(&model);
        std::thread::scope(|scope| {
            for (length, chunk) in [(PROMPT, 25), (PROMPT - 8, 1)] {
                let (model, prompt) = (&model, &prompt[..length]);
                let expected = reply(model, Mode::Contiguous, prompt, chunk);
                scope.spawn(move || {
                    for _ in 0..20 {
                        let (ids, found) = reply(model, Mode::Contiguous, prompt, chunk);
                        assert_same_bits(found.view(), expected.1.view(), "beside another");
                        assert_eq!(ids, expected.0);
                    }
                });
            }
        });
    }
}

#[test]
fn models_of_other_shapes() {
    assert_one_reply(&fixture("untied-one-kv.gguf"));
    assert_one_reply(&fixture("three-to-one-odd-vocab.gguf"));
}

fn gguf(file: &TinyGguf) -> Gguf {
    Gguf::from_vec(file.to_bytes()).expect("it opens")
}

/// The types that the usual file of this name has.
fn q4_k_m() -> TinyGguf {
    in_blocks(true, |name| match name {
        "token_embd.weight" | "blk.0.attn_v.weight" | "blk.0.ffn_down.weight" => {
            StoredType::Q6_K
        }
        "blk.1.ffn_gate.weight" => StoredType::Q5_K, // a Q5_K_M has these
        _ => StoredType::Q4_K,
    })
}

fn q4_0() -> TinyGguf {
    in_blocks(false, |name| match name {
        "output.weight" => StoredType::Q6_K,
        _ => StoredType::Q4_0,
    })
}

/// A model of random blocks, wide enough for the K types.
fn in_blocks(tied: bool, type_of: impl Fn(&str) -> StoredType) -> TinyGguf {
    let (heads, kv_heads, head_dim) = (4, 2, 64);
    let shape = TinyShape { layers: 2, hidden: 256, heads, kv_heads, head_dim, ffn: 256, tied };
    tiny_gguf_in(shape, type_of)
}

/// The same model with its matrices as f32.
fn widened(file: &TinyGguf) -> TinyGguf {
    let opened = gguf(file);
    let mut wide = file.clone();
    for tensor in &mut wide.tensors {
        let found = opened.tensor(&tensor.name).expect("it is in the file");
        tensor.kind = number_of(StoredType::F32);
        tensor.bytes = found.to_f32().into_iter().flat_map(f32::to_le_bytes).collect();
    }
    wide.lay_out();
    wide
}

/// Rounding the inputs of products changes something, and not much.
#[test]
fn it_is_nearly_the_model_with_wide_weights() {
    for file in [q4_k_m(), q4_0(), tiny_gguf()] {
        let (narrow, wide) = (gguf(&file), gguf(&widened(&file)));
        let (narrow, wide) = (plain(&narrow), plain(&wide));
        assert!(
            3 * narrow.weights.bytes < wide.weights.bytes,
            "the blocks are not used as they are"
        );
        let ids = prompt(&narrow);
        let logits = |model: &Model| all_logits(model, &ids, 0, None);
        let (mut error, mut size) = (0.0, 0.0);
        for (narrow, wide) in logits(&narrow).iter().zip(&logits(&wide)) {
            error += f64::from(*narrow - *wide).powi(2);
            size += f64::from(*wide).powi(2);
        }
        let relative = (error / size).sqrt();
        assert!((1e-4..0.05).contains(&relative), "{relative}");
    }
}

/// The kernels take rows of whole blocks. A file with other rows is not opened, so they never see any.
#[test]
fn rows_that_end_within_a_block_are_refused() {
    for (stored, inner) in [
        (StoredType::Q8_0, 48),
        (StoredType::Q8_0, 16),
        (StoredType::Q4_0, 33),
        (StoredType::Q4_K, 32),
        (StoredType::Q5_K, 255),
        (StoredType::Q6_K, 384),
    ] {
        // As many rows as a block has numbers: all of them together are whole blocks.
        let rows = stored.block_len();
        let mut file = tiny_gguf();
        let tensor = file.tensor_mut("blk.1.ffn_down.weight");
        tensor.dims = vec![inner as u64, rows as u64];
        tensor.kind = number_of(stored);
        tensor.bytes = vec![0; inner * stored.block_bytes()];
        file.lay_out();
        let error = Gguf::from_vec(file.to_bytes()).err().expect("no such rows").to_string();
        assert!(error.contains(&format!("{inner} is not divisible")), "{error}");
        assert!(!error.contains('\n'), "{error}");
    }
}
