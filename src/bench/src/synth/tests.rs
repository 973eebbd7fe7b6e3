//! What `synth` writes is a Qwen3 of the shape that was asked for, and nothing is left of a failure.

use std::collections::HashSet;
use std::fs;

use clap::Parser;
use ground::config::Config;
use ground::dtype::StoredType;
use ground::error::Error;
use ground::gguf::Gguf;
use ground::tokenizer::Tokenizer;
use tempfile::TempDir;

use super::{plan, shape};
use crate::synth;

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn names(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path()).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[derive(Parser)]
struct Command {
    #[command(flatten)]
    args: synth::Args,
}

/// Sizes of the files that Qwen publishes on Hugging Face, as others have noted them down from there. What isn't tensors is the
/// vocabulary, which all of them share, and a line for each tensor: so a wrong number of a shape would show.
#[test]
fn a_shape_accounts_for_every_byte_of_the_published_file() {
    for (shape, kind, published, rest) in [
        ("qwen3-0.6b", "q8_0", 639_446_688, 5_951_136),
        ("qwen3-1.7b", "q8_0", 1_834_426_016, 5_951_136),
        ("qwen3-4b", "q4_k_m", 2_497_280_256, 5_956_352),
        ("qwen3-8b", "q4_k_m", 5_027_783_488, 5_956_416),
        ("qwen3-8b", "q6_k", 6_725_899_040, 5_956_384),
        ("qwen3-8b", "q8_0", 8_709_518_112, 5_956_384),
    ] {
        let words = ["synth", "out", "--shape", shape, "--type", kind];
        let args = Command::try_parse_from(words).unwrap().args;
        let tensors = plan(&shape::config(&args).unwrap(), args.kind);
        let bytes: u64 = tensors.iter().map(|tensor| tensor.bytes()).sum();
        assert_eq!(bytes, published - rest, "{shape} {kind}");
    }
}

fn synth(out: &std::path::Path, flags: &str) -> Result<String, Error> {
    let words = ["synth", out.to_str().unwrap()].into_iter().chain(flags.split_whitespace());
    synth::create(&Command::try_parse_from(words)?.args)
}

const SMALL: &str = "--layers 2 --hidden 64 --heads 6 --kv-heads 2 --head-dim 32 --ffn 96 \
                     --vocab 1001 --context 512";

/// Whose rows are blocks of 256.
const WIDE: &str = "--hidden 256 --heads 8 --kv-heads 4 --head-dim 64 --ffn 768 --vocab 300 \
                    --context 512";

#[test]
#[ignore = "cargo prove: every stored type, without optimisation"]
fn every_type_holds_the_same_model() {
    let folder = folder();
    let open = |shape: &str, kind: &str| {
        let path = folder.path().join(format!("{kind}{}", shape.len()));
        synth(&path, &format!("{shape} --type {kind}")).unwrap();
        Gguf::open(&path).unwrap()
    };
    let small = Config {
        name: "synthetic".into(),
        layers: 2,
        hidden: 64,
        heads: 6,
        kv_heads: 2,
        head_dim: 32,
        ffn: 96,
        vocab: 1001,
        context_length: 512,
        rms_eps: 1e-6,
        rope_theta: 1e6,
        eos_ids: vec![996, 998],
        tied: true,
        family: ground::config::QWEN3,
    };
    let wide = format!("{WIDE} --layers 2");
    let (small_exact, wide_exact) = (open(SMALL, "f32"), open(&wide, "f32"));
    assert_eq!(Config::from_gguf(&small_exact).unwrap(), small);
    // How far a number may be from the exact one, in parts of the largest of its 32.
    for (kind, shape, exact, tolerance) in [
        ("f16", SMALL, &small_exact, 0.0006),
        ("bf16", SMALL, &small_exact, 0.004),
        ("q8_0", SMALL, &small_exact, 0.0045),
        ("q4_0", SMALL, &small_exact, 0.13),
        ("q4_k", &wide, &wide_exact, 0.075),
        ("q5_k", &wide, &wide_exact, 0.036),
        ("q6_k", &wide, &wide_exact, 0.018),
    ] {
        let file = open(shape, kind);
        let expected = Config::from_gguf(exact).unwrap();
        assert_eq!(Config::from_gguf(&file).unwrap(), expected, "{kind}");
        for (tensor, exact) in file.tensors().zip(exact.tensors()) {
            let name = tensor.name;
            let is_norm = tensor.rows == 1;
            let stored = if is_norm { "F32" } else { &kind.to_uppercase() };
            assert_eq!((name, tensor.stored.name()), (exact.name, stored));
            let (numbers, exact) = (tensor.to_f32(), exact.to_f32());
            for (block, exact) in numbers.chunks(32).zip(exact.chunks(32)) {
                let largest = exact.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
                for (x, exact) in block.iter().zip(exact) {
                    assert!(
                        (x - exact).abs() <= tolerance * largest,
                        "{kind} {name}: {x} {exact}"
                    );
                }
            }
        }
    }
}

#[test]
#[ignore = "cargo prove: 28 layers, without optimisation"]
fn a_mixture_gives_six_bits_to_half_of_two_matrices_and_to_the_logits() {
    let folder = folder();
    let six_bits = |layers: usize, flags: &str| {
        let path = folder.path().join(format!("{layers}{flags}"));
        synth(&path, &format!("{WIDE} --type q4_k_m --layers {layers} {flags}")).unwrap();
        let file = Gguf::open(&path).unwrap();
        assert_eq!(file.describe("general.file_type"), "15");
        let mut names = Vec::new();
        for tensor in file.tensors() {
            match tensor.stored {
                StoredType::Q6_K => names.push(tensor.name.replace(".weight", "")),
                StoredType::F32 => assert_eq!(tensor.rows, 1, "{}", tensor.name),
                stored => assert_eq!(stored, StoredType::Q4_K, "{}", tensor.name),
            }
        }
        names.sort();
        names
    };
    let expected = |layers: &[usize], logits: &str| {
        let of_layer = |layer| [format!("blk.{layer}.attn_v"), format!("blk.{layer}.ffn_down")];
        let mut names: Vec<String> = layers.iter().flat_map(of_layer).collect();
        names.push(logits.to_owned());
        names.sort();
        names
    };
    let of_28 = [0, 1, 2, 5, 8, 11, 14, 17, 20, 23, 24, 25, 26, 27];
    assert_eq!(six_bits(28, ""), expected(&of_28, "token_embd"));
    assert_eq!(six_bits(9, "--untied"), expected(&[0, 3, 6, 7, 8], "output"));
    assert_eq!(six_bits(2, ""), expected(&[1], "token_embd"));
}

#[test]
fn weights_spread_as_planned() {
    let folder = folder();
    let path = folder.path().join("model");
    synth(&path, &format!("{SMALL} --type f32 --untied")).unwrap();
    let file = Gguf::open(&path).unwrap();
    assert!(!Config::from_gguf(&file).unwrap().tied);
    let output_gain = 2.5 / 2.0; // two layers
    for (name, mean, spread) in [
        ("token_embd.weight", 0.0, 3.0 / 64f64.sqrt()),
        ("output.weight", 0.0, 3.0 / 64f64.sqrt()),
        ("blk.0.attn_q.weight", 0.0, 1.0 / 64f64.sqrt()),
        ("blk.1.attn_output.weight", 0.0, output_gain / 192f64.sqrt()),
        ("blk.1.ffn_down.weight", 0.0, output_gain / 96f64.sqrt()),
        ("blk.0.attn_q_norm.weight", 1.75, 0.05),
    ] {
        let numbers = file.tensor(name).unwrap().to_f32();
        let count = numbers.len() as f64;
        let found = numbers.iter().map(|x| f64::from(*x)).sum::<f64>() / count;
        assert!((found - mean).abs() < 5.0 * spread / count.sqrt(), "{name}: mean {found}");
        let squares = numbers.iter().map(|x| (f64::from(*x) - found).powi(2)).sum::<f64>();
        let ratio = (squares / count).sqrt() / spread;
        assert!((ratio - 1.0).abs() < 3.0 / count.sqrt(), "{name}: {ratio} of its spread");
    }
    let one = file.tensor("blk.0.attn_q.weight").unwrap().bytes;
    assert_ne!(one, file.tensor("blk.1.attn_q.weight").unwrap().bytes, "not the same twice");
}

#[test]
fn one_line_says_what_was_written() {
    let folder = folder();
    let path = folder.path().join("model");
    let line = synth(&path, &format!("{SMALL} --type q4_0")).unwrap();
    let shape = "2 layers, hidden 64, heads 6/2 of 32, ffn 96, vocab 1001, Q4_0";
    assert_eq!(line, format!("{}: 118.6 KiB, {shape}", path.display()));
}

#[test]
fn the_same_arguments_give_the_same_bytes_and_another_seed_others() {
    let folder = folder();
    let bytes = |name: &str, flags: &str| {
        let path = folder.path().join(name);
        synth(&path, &format!("{SMALL} {flags}")).unwrap();
        fs::read(path).unwrap()
    };
    let first = bytes("a", "--seed 1");
    assert_eq!(first, bytes("b", "--seed 1"));
    assert_ne!(first, bytes("c", "--seed 2"));
}

#[test]
#[ignore = "cargo prove: a vocabulary of 151,936 tokens, without optimisation"]
fn a_vocabulary_of_qwens_size_loads_and_reads_english() {
    let folder = folder();
    let path = folder.path().join("model");
    let small = "--layers 1 --hidden 32 --heads 2 --kv-heads 1 --head-dim 16 --ffn 32";
    synth(&path, &format!("{small} --vocab 151936")).unwrap();
    let file = Gguf::open(&path).unwrap();
    assert_eq!(Config::from_gguf(&file).unwrap().eos_ids, [151_643, 151_645]);
    let tokens: HashSet<&str> =
        file.texts("tokenizer.ggml.tokens").unwrap().into_iter().collect();
    assert_eq!(tokens.len(), 151_936, "no token twice");

    let tokenizer = Tokenizer::from_gguf(&file).unwrap();
    assert_eq!(tokenizer.id_of("<think>"), Some(151_667), "where Qwen3 has it");
    for text in ["Once upon a time", "Zoë paid 12 € — «really»?\n", "\u{1F600}"] {
        let ids = tokenizer.encode(text).unwrap();
        assert_eq!(tokenizer.decode(&ids).unwrap(), text);
    }
    let ids = tokenizer.encode("Once upon a time there was a little house").unwrap();
    assert!(ids.len() <= 25, "merges are used: {} tokens", ids.len());
}

#[test]
fn the_smallest_vocabulary_is_the_bytes_and_the_special_tokens() {
    let folder = folder();
    let path = folder.path().join("model");
    let flags = SMALL.replace("1001", "261");
    synth(&path, &flags).unwrap();
    let file = Gguf::open(&path).unwrap();
    Tokenizer::from_gguf(&file).unwrap();
    let error = synth(&folder.path().join("other"), &flags.replace("261", "260")).unwrap_err();
    assert!(error.to_string().contains("vocab is 260, expected 261 or more"), "{error}");
}

#[test]
fn a_shape_that_cannot_be_is_refused_and_nothing_is_left() {
    let folder = folder();
    for (flags, said) in [
        ("--kv-heads 3", "kv-heads is 3, expected a divisor of the 16 heads"),
        ("--head-dim 7", "head-dim is 7, expected a multiple of 2"),
        ("--hidden 100", "hidden is 100, expected a multiple of 32 for Q8_0"),
        ("--hidden 0", "1..=1000000"),
        ("--layers 1001", "1..=1000"),
        ("--ffn 33", "ffn is 33, expected a multiple of 32 for Q8_0"),
        ("--type q4_k --hidden 320", "hidden is 320, expected a multiple of 256 for Q4_K"),
        ("--type q5_k --ffn 3104", "ffn is 3104, expected a multiple of 256 for Q5_K"),
        (
            "--type q4_k_m --head-dim 72",
            "heads times head-dim is 1152, expected a multiple of 256 for Q4_K_M",
        ),
        ("--type q3_k", "values: f32, f16, bf16, q8_0, q4_0, q4_k, q5_k, q6_k, q4_k_m"),
        ("--shape qwen3-0.6", "possible values: qwen3-0.6b, qwen3-1.7b, qwen3-4b, qwen3-8b"),
    ] {
        let error = synth(&folder.path().join("model"), flags).unwrap_err().to_string();
        assert!(error.contains(said), "{flags}: {error:?} does not say {said:?}");
    }
    let error = synth(&folder.path().join("no/such/folder"), SMALL).unwrap_err().to_string();
    assert!(error.contains("cannot be written"), "{error}");
    assert_eq!(names(&folder), [""; 0], "nothing is left");
}

#[test]
fn a_file_that_is_there_is_left_alone() {
    let folder = folder();
    let path = folder.path().join("model");
    fs::write(&path, "precious").unwrap();
    let error = synth(&path, SMALL).unwrap_err().to_string();
    assert!(error.contains("a file of this name already"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), b"precious");
    assert_eq!(names(&folder), ["model"]);
}

#[test]
fn what_no_disk_holds_is_refused_before_anything_is_written() {
    let folder = folder();
    let refused = |flags: &str, said: &str| {
        let flags = format!("{flags} --hidden 1000000 --type f32");
        let error = synth(&folder.path().join("model"), &flags).unwrap_err().to_string();
        assert!(error.contains(said) && !error.contains('\n'), "{error:?}");
    };
    let vast = "--heads 1000000 --kv-heads 1000000 --head-dim 1000000";
    refused(vast, "model: the model would take 388.6 EiB, more than any file can hold");
    #[cfg(unix)] // elsewhere nothing says how much is free
    refused(
        "--heads 100000 --kv-heads 100000 --head-dim 1000",
        "model: the model takes 39.8 PiB, but only ",
    );
    assert_eq!(names(&folder), [""; 0], "nothing is left");
}

#[cfg(unix)]
#[test]
fn a_finished_file_can_be_read_as_any_other() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let mode = |name: &str| {
        let found = fs::metadata(folder.path().join(name)).unwrap();
        found.permissions().mode()
    };
    synth(&folder.path().join("model"), SMALL).unwrap();
    fs::write(folder.path().join("other"), "").unwrap();
    assert_eq!(mode("model"), mode("other"));
}
