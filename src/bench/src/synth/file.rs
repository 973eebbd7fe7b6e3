//! A synthetic file, written from front to back: header, metadata, tensors.

use std::io::{self, Write};

use gguf_rs_lib::format::{GGUFHeader, Metadata, MetadataValue, TensorInfo};
use ground::config::Config;
use ground::embedded;
use ground::progress_bar::Bar;
use ground::random::SplitMix64;

use super::stored::{number, round};
use super::vocabulary::Vocabulary;
use super::weights::Planned;
use super::{Args, SynthError};

const ALIGNMENT: u64 = 32;

/// Writes everything before the tensors' data, and returns how long it is.
pub fn write_header(
    file: &mut impl Write,
    config: &Config,
    args: &Args,
    plan: &[Planned],
) -> Result<u64, SynthError> {
    let metadata = metadata(config, args)?;
    let mut out = Vec::new();
    GGUFHeader::new(plan.len() as u64, metadata.len() as u64).write_to(&mut out)?;
    metadata.write_to(&mut out)?;
    let mut offset = 0;
    for tensor in plan {
        let dimensions = match tensor.rows {
            1 => vec![tensor.columns],
            rows => vec![tensor.columns, rows],
        };
        let kind = number(tensor.stored) as u32;
        TensorInfo::new(tensor.name.clone(), dimensions, kind, offset).write_to(&mut out)?;
        offset = offset.saturating_add(tensor.bytes()).next_multiple_of(ALIGNMENT);
    }
    file.write_all(&out)?;
    Ok(out.len() as u64)
}

fn metadata(config: &Config, args: &Args) -> Result<Metadata, SynthError> {
    let vocabulary = Vocabulary::new(config.vocab);
    let count = |n: usize| MetadataValue::U32(n as u32);
    let text = |text: &str| MetadataValue::String(text.to_owned());
    let template = embedded::tiny_qwen3()
        .and_then(|file| Ok(file.text("tokenizer.chat_template")?.to_owned()))
        .map_err(|error| SynthError::Wrong(error.into()))?;
    let mut metadata = Metadata::new();
    for (key, value) in [
        ("general.architecture", text("qwen3")),
        ("general.name", text(&config.name)),
        ("general.file_type", MetadataValue::U32(args.kind.file_type())),
        ("general.quantization_version", MetadataValue::U32(2)),
        ("general.alignment", count(ALIGNMENT as usize)),
        ("qwen3.block_count", count(config.layers)),
        ("qwen3.context_length", count(config.context_length)),
        ("qwen3.embedding_length", count(config.hidden)),
        ("qwen3.feed_forward_length", count(config.ffn)),
        ("qwen3.attention.head_count", count(config.heads)),
        ("qwen3.attention.head_count_kv", count(config.kv_heads)),
        ("qwen3.attention.key_length", count(config.head_dim)),
        ("qwen3.attention.value_length", count(config.head_dim)),
        ("qwen3.attention.layer_norm_rms_epsilon", MetadataValue::F32(config.rms_eps)),
        ("qwen3.rope.freq_base", MetadataValue::F32(config.rope_theta)),
        ("tokenizer.ggml.model", text("gpt2")),
        ("tokenizer.ggml.pre", text("qwen2")),
        ("tokenizer.ggml.eos_token_id", count(vocabulary.id_of("<|im_end|>"))),
        ("tokenizer.ggml.padding_token_id", count(vocabulary.id_of("<|endoftext|>"))),
        ("tokenizer.ggml.add_bos_token", MetadataValue::Bool(false)),
        ("tokenizer.chat_template", MetadataValue::String(template)),
    ] {
        metadata.insert(key.to_owned(), value);
    }
    for (key, list) in vocabulary.into_metadata()? {
        metadata.insert(key.to_owned(), list);
    }
    Ok(metadata)
}

/// Numbers are made, rounded and written a few million at a time, so that memory stays small.
pub fn write_tensors(
    file: &mut impl Write,
    header_length: u64,
    args: &Args,
    plan: &[Planned],
) -> io::Result<()> {
    let total: u64 = plan.iter().map(Planned::bytes).sum();
    let mut bar = Bar::new("writing", total);
    let mut position = header_length;
    let (mut numbers, mut bytes) = (Vec::new(), Vec::new());
    for (index, tensor) in plan.iter().enumerate() {
        pad(file, &mut position)?;
        // Far from the seeds of the other tensors.
        let seed = SplitMix64::number(SplitMix64::number(args.seed, 0) ^ index as u64, 0);
        let count = tensor.count();
        let mut done = 0;
        while done < count {
            let end = (done + (1 << 20)).min(count); // whole blocks: 2^20 is a multiple of 256
            numbers.clear();
            numbers.extend((done..end).map(|i| tensor.number(seed, i)));
            bytes.clear();
            round(tensor.stored, &numbers, &mut bytes);
            file.write_all(&bytes)?;
            position += bytes.len() as u64;
            bar.advance(bytes.len() as u64);
            done = end;
        }
    }
    pad(file, &mut position)
}

fn pad(file: &mut impl Write, position: &mut u64) -> io::Result<()> {
    let padding = position.next_multiple_of(ALIGNMENT) - *position;
    *position += padding;
    file.write_all(&[0; ALIGNMENT as usize][..padding as usize])
}
