//! Chapter 3: whichever instructions compute, from whichever type of weights, not one bit differs.

use ch03_simd_matmul::backend::Backend;
use ch03_simd_matmul::cache::Mode;
use ch03_simd_matmul::model::Model;
use ch03_simd_matmul::recorder::system_clock;
use ch03_simd_matmul::session::Session;
use ch03_simd_matmul::simd::Scalar;
use ch03_simd_matmul::weights::Matrix;
use ground::config::Config;
use ground::gguf::Gguf;
use ground::request::{Options, Request};
use half::{bf16, f16};
use ndarray::{Array2, concatenate};
use test_support::parts::assert_same_bits;
use test_support::tiny::{TinyGguf, TinyShape, tiny_gguf_of};

/// All backends of this CPU, and plain Rust as on a CPU without fused multiply-add.
fn backends() -> Vec<Backend> {
    let mut backends = Backend::available();
    backends.push(Backend::Scalar(Scalar::without_fma()));
    backends
}

fn load(file: &Gguf, backend: Backend) -> Model<'_> {
    let config = Config::from_gguf(file).expect("its config is sound");
    Model::load(file, config, backend).expect("the model loads")
}

fn logits(model: &Model, ids: &[u32]) -> Array2<f32> {
    let x = model.hidden(ids, 0, None).expect("a pass without a cache cannot fail");
    model.logits(x.view())
}

/// The same logits from a cache that is filled chunk by chunk.
fn cached_logits(model: &Model, ids: &[u32], chunk: usize) -> Array2<f32> {
    let cache = Mode::Contiguous.cache(&model.config, ids.len());
    let mut cache = cache.expect("there is memory").expect("a kind of cache");
    let mut rows = Vec::new();
    for chunk in ids.chunks(chunk) {
        let position = cache.shape().length;
        let x = model.hidden(chunk, position, Some(&mut *cache)).expect("there is room");
        rows.push(model.logits(x.view()));
    }
    let views: Vec<_> = rows.iter().map(|rows| rows.view()).collect();
    concatenate(ndarray::Axis(0), &views).expect("all rows are as wide as the vocabulary")
}

/// A head of keys for each head of queries, for two, and for all. Twenty-four queries go through
/// the keys together; of 25 one is left, and takes all heads at once.
#[test]
fn heads_share_keys_in_every_way() {
    let ids: Vec<u32> = (0..50).map(|i| i * 11 % 250).collect();
    for kv_heads in [4, 2, 1] {
        let file = tiny_gguf_of(TinyShape { heads: 4, kv_heads, ..TinyShape::default() });
        let file = Gguf::from_vec(file.to_bytes()).expect("it opens");
        let expected = logits(&load(&file, Backend::available()[0]), &ids);
        for backend in backends() {
            let model = load(&file, backend);
            for chunk in [1, 24, 25, 26] {
                let found = cached_logits(&model, &ids, chunk);
                let what =
                    format!("{kv_heads} heads of keys, {backend:?}, in chunks of {chunk}");
                assert_same_bits(found.view(), expected.view(), &what);
            }
        }
    }
}

/// The miniature's numbers are so small that every type holds them exactly: then it must not matter which.
fn stored_as(kind: u32) -> TinyGguf {
    let mut file = tiny_gguf_of(TinyShape::default());
    for tensor in file.tensors.iter_mut().filter(|tensor| tensor.kind == 8) {
        let numbers = tensor.bytes.chunks_exact(34).flat_map(|block| {
            let scale = f16::from_le_bytes([block[0], block[1]]).to_f32();
            block[2..].iter().map(move |&byte| scale * f32::from(byte as i8))
        });
        tensor.bytes = match kind {
            0 => numbers.flat_map(f32::to_le_bytes).collect(),
            1 => numbers.flat_map(|number| f16::from_f32(number).to_le_bytes()).collect(),
            30 => numbers.flat_map(|number| bf16::from_f32(number).to_le_bytes()).collect(),
            _ => tensor.bytes.clone(),
        };
        tensor.kind = kind;
    }
    file.lay_out();
    file
}

#[test]
fn the_stored_type_does_not_matter_if_it_holds_the_same_numbers() {
    let ids: Vec<u32> = (0..12).map(|i| i * 7 % 250).collect();
    let open = |kind| Gguf::from_vec(stored_as(kind).to_bytes()).expect("it opens");
    let widened = open(8);
    let expected = logits(&load(&widened, Backend::available()[0]), &ids);
    assert!(expected.iter().all(|logit| logit.is_finite()));
    for kind in [0, 1, 30] {
        let file = open(kind);
        for backend in backends() {
            let model = load(&file, backend);
            let what = format!("type {kind}, {backend:?}");
            assert_same_bits(logits(&model, &ids).view(), expected.view(), &what);
            let cached = cached_logits(&model, &ids, 1);
            assert_same_bits(cached.view(), expected.view(), &format!("{what}, cached"));
        }
    }
}

#[test]
fn weights_stay_where_they_lie_in_the_file() {
    for kind in [0, 1, 30] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("model.gguf");
        std::fs::write(&path, stored_as(kind).to_bytes()).expect("it is written");
        let file = Gguf::open(&path).expect("it opens");
        let model = load(&file, Backend::available()[0]);
        let layer = &model.weights.layers[1];
        let matrices = [
            ("token_embd", &model.weights.embedding),
            ("blk.1.attn_q", &layer.q_proj),
            ("blk.1.attn_k", &layer.k_proj),
            ("blk.1.attn_v", &layer.v_proj),
            ("blk.1.attn_output", &layer.o_proj),
            ("blk.1.ffn_gate", &layer.gate_proj),
            ("blk.1.ffn_up", &layer.up_proj),
            ("blk.1.ffn_down", &layer.down_proj),
        ];
        for (name, matrix) in matrices {
            let bytes = file.tensor(&format!("{name}.weight")).expect("it is there").bytes;
            let place: *const u8 = match matrix {
                Matrix::F32(numbers) => numbers.as_ptr().cast(),
                Matrix::F16(numbers) => numbers.as_ptr().cast(),
                Matrix::BF16(numbers) => numbers.as_ptr().cast(),
            };
            assert_eq!(place, bytes.as_ptr(), "{name} of type {kind} was copied");
            assert_eq!(matrix.bytes(), bytes.len(), "{name} of type {kind}");
        }
    }
}

/// A file may lie anywhere in memory: then there is a copy, and still the same bits.
#[test]
fn tensors_at_odd_places_are_widened_instead() {
    let ids: Vec<u32> = (0..20).map(|i| i * 11 % 250).collect();
    let aligned = Gguf::from_vec(stored_as(1).to_bytes()).expect("it opens");
    let expected = logits(&load(&aligned, Backend::available()[0]), &ids);
    let bytes: &'static [u8] = [vec![0], stored_as(1).to_bytes()].concat().leak();
    let file = Gguf::from_static(&bytes[1..]).expect("it opens");
    for backend in Backend::available() {
        let model = load(&file, backend);
        assert!(matches!(model.weights.embedding, Matrix::F32(_)), "it lay at an even place");
        assert_same_bits(logits(&model, &ids).view(), expected.view(), backend.name());
    }
}

fn run(arguments: &[&str]) -> Result<(), String> {
    let arguments = std::iter::once("ch03").chain(arguments.iter().copied());
    ch03_simd_matmul::run(arguments.map(Into::into).collect()).map_err(|e| e.to_string())
}

#[test]
fn the_command_line_knows_every_backend_and_runs_those_that_this_cpu_has() {
    for name in ["scalar", "avx2", "avx512", "neon"] {
        let found = run(&["--backend", name, "-n", "2", "--json"]);
        let there = Backend::available().iter().any(|backend| backend.name() == name);
        assert_eq!(found.is_ok(), there, "{name}: {found:?}");
        if let Err(message) = found {
            assert!(message.contains(name) && message.contains("scalar"), "{message}");
            assert_eq!(message.lines().count(), 1, "{message}");
        }
    }
    assert!(run(&["--backend", "sse"]).expect_err("no such backend").contains("avx512"));
}

#[test]
fn the_report_says_what_auto_chose() {
    let file = ground::embedded::tiny_qwen3().expect("the embedded model opens");
    let auto = Backend::choose("auto").expect("there is one");
    let chosen = auto.name();
    let session = Session::open(&file, system_clock(), auto).expect("the embedded model runs");
    let options = Options { max_new_tokens: 3, ..Options::default() };
    let request =
        Request::new(vec![1, 2], options, &session.model.config).expect("it is sound");
    let (_, report) =
        session.generate(&request, Mode::Contiguous, |_| Ok(())).expect("it generates");
    assert_eq!(report.json().expect("a report is JSON")["backend"], chosen);
    let mut table = Vec::new();
    report.print(&mut table, false).expect("a vector takes everything");
    let table = String::from_utf8(table).expect("text");
    assert!(table.contains(&format!("backend  {chosen}")), "{table}");
}
