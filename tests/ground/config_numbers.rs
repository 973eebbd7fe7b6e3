//! All of a Qwen3's numbers come from the file, and disagree with its tensors at their peril.

use ground::config::{Config, ConfigError};
use ground::gguf::Gguf;
use test_support::tiny::{TinyGguf, TinyShape, Value, tiny_gguf, tiny_gguf_of};

fn config(file: &TinyGguf) -> Result<Config, ConfigError> {
    Config::from_gguf(&Gguf::from_vec(file.to_bytes()).expect("a valid file"))
}

fn message(file: &TinyGguf) -> String {
    config(file).expect_err("should be refused").to_string()
}

#[test]
fn every_number_comes_from_the_file() {
    let shape = TinyShape {
        layers: 3,
        hidden: 96,
        heads: 6,
        kv_heads: 3,
        head_dim: 32,
        ffn: 160,
        tied: false,
    };
    let mut file = tiny_gguf_of(shape);
    file.set("general.name", Value::Text("another".into()));
    file.set("qwen3.context_length", Value::U32(77));
    file.set("qwen3.rope.freq_base", Value::F32(1e4));
    file.set("qwen3.attention.layer_norm_rms_epsilon", Value::F32(1e-5));
    let expected = Config {
        name: "another".into(),
        layers: 3,
        hidden: 96,
        heads: 6,
        kv_heads: 3,
        head_dim: 32,
        ffn: 160,
        vocab: 265,
        context_length: 77,
        rms_eps: 1e-5,
        rope_theta: 1e4,
        eos_ids: vec![260, 262],
        tied: false,
        family: ground::config::QWEN3,
    };
    assert_eq!(config(&file).unwrap(), expected);
}

/// A context of 131072 is what Qwen3's own page gives for long texts: more than 16 bits hold.
#[test]
#[cfg(target_pointer_width = "64")]
fn numbers_may_be_as_large_as_real_ones() {
    let mut file = tiny_gguf();
    file.set("qwen3.context_length", Value::U32(131_072));
    assert_eq!(config(&file).unwrap().context_length, 131_072);
    file.set("qwen3.context_length", Value::U32(0x7fff_ffff));
    assert_eq!(config(&file).unwrap().context_length, 0x7fff_ffff);
    file.set("qwen3.context_length", Value::U32(0x8000_0000));
    assert!(message(&file).contains("from 1 to 2147483647"));
}

#[test]
fn the_name_and_the_end_tokens_may_be_missing() {
    let mut file = tiny_gguf();
    file.remove("general.name");
    file.remove("tokenizer.ggml.eos_token_id");
    let config = config(&file).unwrap();
    assert_eq!(config.name, "unnamed");
    assert_eq!(config.eos_ids, [260, 262], "known by their text");
}

#[test]
fn end_tokens_that_the_file_names_count_too() {
    let mut file = tiny_gguf();
    file.set("tokenizer.ggml.eos_token_id", Value::U32(5));
    file.set("tokenizer.ggml.eot_token_id", Value::U32(9));
    assert_eq!(config(&file).unwrap().eos_ids, [5, 9, 260, 262]);
}

#[test]
fn a_shape_that_disagrees_is_named_with_both_shapes() {
    for (key, value, name, found, expected) in [
        ("qwen3.embedding_length", 64, "token_embd.weight", "(265, 32)", "(265, 64)"),
        ("qwen3.attention.head_count", 8, "blk.0.attn_q.weight", "(64, 32)", "(128, 32)"),
        ("qwen3.attention.head_count_kv", 4, "blk.0.attn_k.weight", "(32, 32)", "(64, 32)"),
        ("qwen3.attention.key_length", 8, "blk.0.attn_q.weight", "(64, 32)", "(32, 32)"),
        ("qwen3.feed_forward_length", 96, "blk.0.ffn_gate.weight", "(64, 32)", "(96, 32)"),
    ] {
        let mut file = tiny_gguf();
        file.set(key, Value::U32(value));
        file.remove("qwen3.attention.value_length");
        let message = message(&file);
        let parts = [format!("{name:?}"), format!("found shape {found}"), expected.to_string()];
        for part in parts {
            assert!(message.contains(&part), "{key}: {message:?} does not say {part:?}");
        }
    }
}

#[test]
fn values_that_make_no_sense_are_named() {
    for (key, value, said) in [
        ("general.architecture", Value::Text("llama".into()), "architecture \"llama\""),
        ("qwen3.block_count", Value::U32(0), "found 0, expected a number from 1"),
        (
            "qwen3.block_count",
            Value::U32(u32::MAX),
            "found 4294967295, expected a number from 1",
        ),
        ("qwen3.block_count", Value::I64(-2), "found -2, expected an integer"),
        ("qwen3.block_count", Value::Text("two".into()), "found \"two\", expected an integer"),
        ("qwen3.block_count", Value::U32(3), "no tensor \"blk.2.attn_norm.weight\""),
        ("qwen3.block_count", Value::U32(1), "\"blk.1.attn_norm.weight\" has no place"),
        (
            "qwen3.attention.head_count_kv",
            Value::U32(3),
            "found 3, expected a divisor of the 4",
        ),
        ("qwen3.attention.key_length", Value::U32(15), "found 15, expected an even number"),
        ("qwen3.attention.value_length", Value::U32(8), "found 8, expected 16, the key length"),
        ("qwen3.attention.layer_norm_rms_epsilon", Value::F32(0.0), "a number above zero"),
        ("qwen3.rope.freq_base", Value::F32(f32::NAN), "found NaN, expected a number above"),
        ("qwen3.rope.freq_base", Value::F32(f32::INFINITY), "found inf, expected a number"),
        ("qwen3.rope.scaling.type", Value::Text("yarn".into()), "found \"yarn\", expected"),
        ("qwen3.context_length", Value::U32(0), "found 0, expected a number from 1"),
        ("tokenizer.ggml.eos_token_id", Value::U32(265), "found 265, expected an id below 265"),
        ("tokenizer.ggml.tokens", Value::Texts(vec!["a".into()]), "has 1 tokens, but"),
        ("tokenizer.ggml.tokens", Value::U32(1), "found 1, expected a list of texts"),
    ] {
        let mut file = tiny_gguf();
        file.set(key, value);
        let message = message(&file);
        assert!(message.contains(said), "{key}: {message:?} does not say {said:?}");
        assert_eq!(message.lines().count(), 1);
    }
}

#[test]
fn every_key_that_is_needed_is_asked_for_by_name() {
    for key in [
        "general.architecture",
        "qwen3.block_count",
        "qwen3.embedding_length",
        "qwen3.attention.head_count",
        "qwen3.attention.head_count_kv",
        "qwen3.attention.key_length",
        "qwen3.feed_forward_length",
        "qwen3.context_length",
        "qwen3.attention.layer_norm_rms_epsilon",
        "qwen3.rope.freq_base",
        "tokenizer.ggml.tokens",
    ] {
        let mut file = tiny_gguf();
        file.remove(key);
        assert!(message(&file).contains(&format!("no metadata key {key:?}")), "{key}");
    }
}

#[test]
fn every_tensor_is_needed_and_no_other_is_welcome() {
    let names: Vec<String> = tiny_gguf().tensors.iter().map(|t| t.name.clone()).collect();
    for name in names {
        let mut file = tiny_gguf();
        file.tensors.retain(|tensor| tensor.name != name);
        assert!(message(&file).contains(&format!("no tensor {name:?}")), "{name}");

        let mut file = tiny_gguf();
        file.tensor_mut(&name).name = format!("{name}.old");
        assert!(message(&file).contains(&format!("no tensor {name:?}")), "{name}");
    }
    let mut file = tiny_gguf();
    let mut bias = file.tensors[1].clone();
    bias.name = "blk.0.attn_q.bias".into();
    file.tensors.push(bias);
    file.lay_out();
    assert!(message(&file).contains("\"blk.0.attn_q.bias\" has no place in a qwen3"));
}
