//! A valid file opens, whichever way, and says what was written.

use std::io::Write;

use ground::config::Config;
use ground::dtype::StoredType;
use ground::gguf::{Gguf, GgufError};
use test_support::tiny::{TinyShape, Value, tiny_gguf, tiny_gguf_of};

fn open(file: &test_support::tiny::TinyGguf) -> Gguf {
    Gguf::from_vec(file.to_bytes()).expect("a valid file")
}

#[test]
fn every_tensor_is_the_bytes_that_were_written() {
    let written = tiny_gguf();
    let file = open(&written);
    assert_eq!(file.tensors().count(), written.tensors.len());
    for (found, expected) in file.tensors().zip(&written.tensors) {
        assert_eq!(found.name, expected.name, "in the order of the file");
        assert_eq!(found.columns as u64, expected.dims[0]);
        assert_eq!(found.rows as u64, expected.dims.get(1).copied().unwrap_or(1));
        assert_eq!(found.bytes, expected.bytes, "{}", found.name);
        assert_eq!(found.stored == StoredType::F32, expected.kind == 0, "{}", found.name);
        assert_eq!(file.tensor(found.name).unwrap().bytes, found.bytes);
        assert!(file.has_tensor(found.name));
    }
    assert!(!file.has_tensor("blk.0.attn_q"));
    let missing = file.tensor("blk.0.attn_q").unwrap_err();
    assert!(missing.to_string().contains("\"blk.0.attn_q\""), "{missing}");
}

#[test]
fn a_mapped_file_is_the_same_as_one_in_memory() {
    let bytes = tiny_gguf().to_bytes();
    let mut on_disk = tempfile::NamedTempFile::new().unwrap();
    on_disk.write_all(&bytes).unwrap();
    let mapped = Gguf::open(on_disk.path()).unwrap();
    let in_memory = Gguf::from_vec(bytes).unwrap();
    for (a, b) in mapped.tensors().zip(in_memory.tensors()) {
        assert_eq!((a.name, a.rows, a.columns, a.bytes), (b.name, b.rows, b.columns, b.bytes));
    }
    // A map begins at a page, so that plain numbers can be used where they lie.
    assert!(mapped.tensor("output_norm.weight").unwrap().as_f32().is_some());
    assert_eq!(Config::from_gguf(&mapped).unwrap(), Config::from_gguf(&in_memory).unwrap());
}

#[test]
fn the_embedded_model_opens_and_its_numbers_lie_aligned() {
    let file = ground::embedded::tiny_qwen3().unwrap();
    let config = Config::from_gguf(&file).unwrap();
    assert!(config.tied);
    assert!(file.tensor("output_norm.weight").unwrap().as_f32().is_some());
}

#[test]
fn metadata_answers_with_the_type_asked_for() {
    let mut written = tiny_gguf();
    written.set("test.negative", Value::I64(-1));
    written.set("test.long", Value::I64(1 << 40));
    written.set("test.list", Value::I32s(vec![3, 1, 2]));
    written.set("test.texts", Value::Texts(vec!["a".into(), "\u{1b}[31m".into()]));
    let file = open(&written);

    assert_eq!(file.text("general.architecture").unwrap(), "qwen3");
    assert_eq!(file.integer("qwen3.block_count").unwrap(), 2);
    assert_eq!(file.integer("test.long").unwrap(), 1 << 40);
    assert_eq!(file.float("qwen3.rope.freq_base").unwrap(), 1e6);
    assert!(!file.flag("tokenizer.ggml.add_bos_token").unwrap());
    assert_eq!(file.integers("test.list").unwrap(), [3, 1, 2]);
    assert_eq!(file.texts("test.texts").unwrap(), ["a", "\u{1b}[31m"]);
    assert!(file.has("test.list") && !file.has("test.lists"));

    let keys: Vec<&str> = file.keys().collect();
    assert_eq!(keys.len(), written.metadata.len());
    assert!(keys.is_sorted());

    // What a person reads is short and cannot command a terminal.
    assert_eq!(file.describe("test.list"), "3 x i32 [3, 1, 2]");
    assert_eq!(file.describe("test.texts"), r#"2 x string ["a", "\u{1b}[31m"]"#);
    assert_eq!(file.describe("nothing.here"), "nothing");
    assert!(file.describe("tokenizer.ggml.tokens").len() < 200);

    // The wrong type and a missing key are errors that say so.
    let error = |result: Result<u64, GgufError>| result.unwrap_err().to_string();
    let message = error(file.integer("general.name"));
    assert_eq!(
        message,
        "metadata key \"general.name\": found \"miniature\", expected an integer that is not negative"
    );
    assert!(error(file.integer("test.negative")).contains("found -1"));
    assert!(error(file.integer("qwen3.layers")).contains("no metadata key \"qwen3.layers\""));
    assert!(file.float("qwen3.block_count").is_err());
    assert!(file.texts("test.list").is_err());
    assert!(file.integers("test.texts").is_err());
}

#[test]
fn tensors_may_lie_at_another_alignment() {
    let mut written = tiny_gguf();
    written.set("general.alignment", Value::U32(256));
    written.alignment = 256;
    written.lay_out();
    let file = open(&written);
    for (found, expected) in file.tensors().zip(&written.tensors) {
        assert_eq!(found.bytes, expected.bytes, "{}", found.name);
    }
}

#[test]
fn an_open_file_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>(_: &T) {}
    shared(&open(&tiny_gguf_of(TinyShape { tied: false, ..TinyShape::default() })));
}
