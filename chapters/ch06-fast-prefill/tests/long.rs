//! Chapter 6: long prompts. What is right far into them and has the same bits, however it is computed, and what they take.

use std::path::{Path, PathBuf};
use std::process::Command;

use ch06_fast_prefill::backend::Backend;
use ch06_fast_prefill::cache::Mode;
use ch06_fast_prefill::compute::ComputeContext;
use ch06_fast_prefill::model::Model;
use ch06_fast_prefill::rope::{Rope, angles};
use ch06_fast_prefill::weights::Matrix;
use ground::config::Config;
use ground::dtype::StoredType;
use ground::gguf::Gguf;
use ndarray::{Array2, s};
use serde_json::Value;
use test_support::parts::{assert_near, assert_same_bits, cases};
use test_support::tiny::{TinyGguf, TinyShape, tiny_gguf_in};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures").join(name)
}

fn untied_one_kv() -> Gguf {
    Gguf::open(&fixture("models/untied-one-kv.gguf")).expect("it opens")
}

fn load(file: &Gguf, threads: usize) -> Model<'_> {
    load_for(file, *Backend::available().last().expect("there is always one"), threads)
}

fn load_for(file: &Gguf, backend: Backend, threads: usize) -> Model<'_> {
    let config = Config::from_gguf(file).expect("its config is sound");
    let compute = ComputeContext::new(backend, threads).expect("a few threads start");
    Model::load(file, config, compute).expect("the model loads")
}

/// The same model with matrices of f32 in place of those in blocks: nothing will be rounded.
fn widened(mut model: Model) -> Model {
    let widen = |matrix: &mut Matrix| {
        if let Matrix::Packed(tensor, _) = matrix {
            let shape = (tensor.rows, tensor.columns);
            let wide = Array2::from_shape_vec(shape, tensor.to_f32());
            *matrix = Matrix::F32(wide.expect("rows times columns").into());
        }
    };
    widen(&mut model.weights.embedding);
    model.weights.output.as_mut().map(widen);
    for layer in &mut model.weights.layers {
        let attention =
            [&mut layer.q_proj, &mut layer.k_proj, &mut layer.v_proj, &mut layer.o_proj];
        let mlp = [&mut layer.gate_proj, &mut layer.up_proj, &mut layer.down_proj];
        attention.into_iter().chain(mlp).for_each(widen);
    }
    model
}

/// As lab/reference/long_context.py makes them.
fn prompt(tokens: usize, vocab: usize) -> Vec<u32> {
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % vocab as u32
    };
    (0..tokens).map(|_| next()).collect()
}

/// The logits after every token, read chunk by chunk. -> [tokens, vocab]
fn logits(model: &Model, ids: &[u32], chunk: usize) -> Array2<f32> {
    let cache = Mode::Contiguous.cache(&model.config, ids.len());
    let mut cache = cache.expect("there is memory").expect("a cache was asked for");
    let (mut rows, mut position) = (Vec::new(), 0);
    for chunk in ids.chunks(chunk) {
        let x = model.hidden(chunk, position, Some(&mut *cache)).expect("there is room");
        rows.extend(model.logits(x.view()));
        position += chunk.len();
    }
    Array2::from_shape_vec((ids.len(), model.config.vocab), rows).expect("a row for each token")
}

fn judgement(name: &str) -> Value {
    let text = std::fs::read_to_string(fixture("long.json")).expect("it is there");
    let models: Vec<Value> = serde_json::from_str(&text).expect("it is sound");
    models.into_iter().find(|model| model["model"] == name).expect("it knows the model")
}

/// The first `tokens` of the prompt: beyond the positions that these models were made for, and beyond 4,096.
fn assert_judged(model: &Model, name: &str, tokens: usize) {
    let judgement = judgement(name);
    let ids = prompt(6001, model.config.vocab);
    assert_eq!(judgement["last_ids"], serde_json::json!(ids[5997..]), "another prompt");
    let logits = logits(model, &ids[..tokens], 512);
    let mut worst = 0.0f64;
    for entry in judgement["positions"].as_array().expect("a list") {
        let position = entry["position"].as_u64().expect("a number") as usize;
        if position >= tokens {
            break;
        }
        let spread = entry["spread"].as_f64().expect("a number");
        for best in entry["best"].as_array().expect("a list") {
            let id = best[0].as_u64().expect("an id") as usize;
            let expected = best[1].as_f64().expect("a number");
            let found = f64::from(logits[(position, id)]);
            let off = (found - expected).abs() / spread;
            worst = worst.max(off);
            assert!(
                off < 1e-5,
                "{name}, position {position}, token {id}: {found}, expected {expected}"
            );
        }
    }
    println!("{name}: off by at most {worst:.2e} of the spread");
}

#[test]
fn what_the_reference_says_of_a_model_with_one_kv_head() {
    assert_judged(&load(&untied_one_kv(), 2), "untied-one-kv", 6001);
}

#[test]
#[ignore = "cargo prove: beyond 4,096 tokens"]
fn what_the_reference_says_of_the_embedded_model() {
    let file = ground::embedded::tiny_qwen3().expect("the embedded model opens");
    assert_judged(&widened(load(&file, 2)), "tiny-qwen3", 4098);
}

#[derive(serde::Deserialize)]
struct Rotated {
    head_dim: usize,
    position: usize,
    theta: f32,
    x: Vec<f32>,
    y: Vec<f32>,
}

/// Up to where a whole prompt would take too long for a test.
#[test]
fn rotations_up_to_position_40_000() {
    let mut farthest = 0;
    for Rotated { head_dim, position, theta, x, y } in cases("rope") {
        let angles = angles(head_dim, theta, &[position]);
        for backend in Backend::available() {
            let mut found = Array2::from_shape_vec((1, x.len()), x.clone()).expect("one row");
            backend.run(Rope { x: found.view_mut(), angles: angles.view() });
            assert_near(found.as_slice().expect("one row"), &y, &format!("{position}"));
        }
        farthest = farthest.max(position);
    }
    assert_eq!(farthest, 40_000);
}

/// In chunks of these many tokens; the last is all of them.
const CHUNKS: [usize; 5] = [1, 7, 64, 512, usize::MAX];

/// Files with the types of F32, F16, Q8_0 and Q4_K_M, of several shapes, and one with an odd vocabulary.
fn files() -> [Gguf; 5] {
    let small = TinyShape::default();
    let odd = TinyShape { heads: 6, head_dim: 48, tied: false, ..small };
    let wide = TinyShape { hidden: 256, head_dim: 64, ffn: 256, ..small };
    let made = |file: TinyGguf| Gguf::from_vec(file.to_bytes()).expect("it opens");
    [
        made(tiny_gguf_in(small, |_| StoredType::F32)),
        made(tiny_gguf_in(odd, |_| StoredType::F16)),
        made(tiny_gguf_in(TinyShape { kv_heads: 1, ..odd }, |_| StoredType::Q8_0)),
        made(tiny_gguf_in(wide, |name| match name {
            "token_embd.weight" | "blk.0.attn_v.weight" | "blk.0.ffn_down.weight" => {
                StoredType::Q6_K
            }
            _ => StoredType::Q4_K,
        })),
        Gguf::open(&fixture("models/three-to-one-odd-vocab.gguf")).expect("it opens"),
    ]
}

/// Every number of threads with every chunk, and the files and backends taken in turn: in 40 runs any two of the four
/// choices meet, and all that three of them could do together is left to chance.
#[test]
#[ignore = "cargo prove: 40 runs"]
fn no_choice_changes_a_bit() {
    let (files, all) = (files(), Backend::available());
    // Where there are more, plain Rust is left out: what is expected comes from there.
    let backends = &all[all.len().saturating_sub(files.len())..];
    assert!(all.len() - backends.len() <= 1, "some backends would not meet all files");
    let expected = files.each_ref().map(|file| {
        let model = load_for(file, all[0], 1);
        logits(&model, &prompt(600, model.config.vocab), usize::MAX)
    });
    for threads in 1..=8 {
        for (index, chunk) in CHUNKS.into_iter().enumerate() {
            let file = (threads + index) % files.len();
            let backend = backends[(threads + 2 * index) % files.len() % backends.len()];
            let mut model = load_for(&files[file], backend, threads);
            model.compute.small = 1; // even the smallest work is shared
            let tokens = chunk.saturating_mul(130).min(600); // past two blocks, even one by one
            let ids = prompt(tokens, model.config.vocab);
            let what =
                format!("file {file}, {backend:?}, {threads} threads, chunks of {chunk}");
            let expected = expected[file].slice(s![..tokens, ..]);
            assert_same_bits(logits(&model, &ids, chunk).view(), expected, &what);
        }
    }
}

fn engine() -> Command {
    Command::new(env!("CARGO_BIN_EXE_ch06-fast-prefill"))
}

fn numbers_of(ids: &[u32]) -> String {
    ids.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

fn metrics(tokens: usize, flags: &[&str]) -> Value {
    let ids = numbers_of(&prompt(tokens, 1500));
    let fixed = ["--token-ids", &ids, "-n", "2", "--ignore-eos", "--json"];
    let output = engine().args(fixed).args(flags).output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let whole: Value = serde_json::from_slice(&output.stdout).expect("it prints JSON");
    whole["metrics"].clone()
}

/// What a prompt takes is known before: its cache and one chunk.
#[test]
#[ignore = "cargo prove: whole runs, long ones"]
fn memory_is_what_was_said() {
    let bytes = |value: &Value| value.as_u64().expect("a number of bytes");
    for flags in [
        &["--threads=1"][..],
        &["--threads=8"],
        &["--threads=1", "--prefill-chunk=64"],
        &["--threads=1", "--kv=basic"],
        &["--threads=1", "--kv=off"],
    ] {
        let [short, long] = [1000, 2000].map(|tokens| metrics(tokens, flags));
        for metrics in [&short, &long] {
            let said = &metrics["memory_in_advance_bytes"];
            let found = metrics["peak_memory_bytes"].as_u64();
            assert_eq!(found.is_some(), cfg!(target_os = "linux"));
            let found = found.unwrap_or(0);
            println!("{flags:?}: {found} bytes at most, said {said}");
            assert!(found < bytes(&said["total"]), "{flags:?}: {found} bytes, but {said}");
        }
        let said = [&short, &long].map(|metrics| &metrics["memory_in_advance_bytes"]);
        let grown = |part: &str| bytes(&said[1][part]) - bytes(&said[0][part]);
        if flags.contains(&"--kv=off") {
            continue; // without a cache all of the prompt is one chunk
        }
        for part in ["weights", "chunk", "threads", "logits"] {
            assert_eq!(grown(part), 0, "{flags:?}: {part}");
        }
        if flags == ["--threads=1"] {
            // 512 rows of five times hidden, two of 6 heads and two of 3, two of the MLP and the angles, as f32;
            // and the widest of them once more, as f32 and as integers.
            let numbers = 5 * 192 + 2 * 6 * 64 + 2 * 3 * 64 + 2 * 512 + 64;
            assert_eq!(bytes(&said[0]["chunk"]), 512 * (4 * numbers + 6 * 512));
        }
        // 1,000 positions, scores of 6 heads, as f32.
        assert_eq!(grown("scores"), 1000 * 6 * 4, "{flags:?}");
        if !flags.contains(&"--kv=basic") {
            // 1,000 positions, keys and values of 6 layers with 3 heads of 64, as f32.
            assert_eq!(grown("cache"), 1000 * 2 * 6 * 3 * 64 * 4);
        }
    }
}
