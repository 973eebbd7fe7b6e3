//! A miniature Qwen3 file, written byte by byte without any library, so that a test can also
//! write it wrongly.

use std::fmt::Write as _;

use ground::config::Config;
use ground::dtype::StoredType;
use ground::random::SplitMix64;
use ground::tokenizer::byte_alphabet;
use half::f16;

/// A metadata value; `Raw` writes any type number and any bytes.
#[derive(Clone, Debug)]
pub enum Value {
    U32(u32),
    I64(i64),
    F32(f32),
    Flag(bool),
    Text(String),
    Texts(Vec<String>),
    I32s(Vec<i32>),
    Raw(u32, Vec<u8>),
}

/// One tensor as it is to be described and stored; [`TinyGguf::lay_out`] fills in `offset`.
#[derive(Clone, Debug)]
pub struct TinyTensor {
    pub name: String,
    pub dims: Vec<u64>, // innermost first
    pub kind: u32,      // the format's number for the type: 0 is F32, 8 is Q8_0
    pub offset: u64,
    pub bytes: Vec<u8>,
}

/// A whole file before it is written.
#[derive(Clone, Debug)]
pub struct TinyGguf {
    pub version: u32,
    pub metadata: Vec<(String, Value)>,
    pub tensors: Vec<TinyTensor>,
    pub alignment: usize,
}

/// The shape of the miniature.
#[derive(Clone, Copy, Debug)]
pub struct TinyShape {
    pub layers: usize,
    pub hidden: usize,
    pub heads: usize,
    pub kv_heads: usize,
    pub head_dim: usize,
    pub ffn: usize,
    pub tied: bool,
}

impl Default for TinyShape {
    fn default() -> TinyShape {
        TinyShape {
            layers: 2,
            hidden: 32,
            heads: 4,
            kv_heads: 2,
            head_dim: 16,
            ffn: 64,
            tied: true,
        }
    }
}

/// A valid miniature Qwen3: Q8_0 matrices, a vocabulary of the 256 bytes, a few merges and Qwen's
/// special tokens. Its weights are noise.
pub fn tiny_gguf() -> TinyGguf {
    tiny_gguf_of(TinyShape::default())
}

/// As [`tiny_gguf`], of another shape; widths must be multiples of 32.
pub fn tiny_gguf_of(shape: TinyShape) -> TinyGguf {
    let TinyShape { layers, hidden, heads, kv_heads, head_dim, ffn, tied } = shape;
    let (tokens, token_types, merges) = vocabulary();
    let id = |token: &str| tokens.iter().position(|t| t == token).expect("a token") as u32;
    let metadata = [
        ("general.architecture", Value::Text("qwen3".into())),
        ("general.name", Value::Text("miniature".into())),
        ("general.alignment", Value::U32(32)),
        ("qwen3.block_count", Value::U32(layers as u32)),
        ("qwen3.embedding_length", Value::U32(hidden as u32)),
        ("qwen3.attention.head_count", Value::U32(heads as u32)),
        ("qwen3.attention.head_count_kv", Value::U32(kv_heads as u32)),
        ("qwen3.attention.key_length", Value::U32(head_dim as u32)),
        ("qwen3.attention.value_length", Value::U32(head_dim as u32)),
        ("qwen3.feed_forward_length", Value::U32(ffn as u32)),
        ("qwen3.context_length", Value::U32(128)),
        ("qwen3.attention.layer_norm_rms_epsilon", Value::F32(1e-6)),
        ("qwen3.rope.freq_base", Value::F32(1e6)),
        ("tokenizer.ggml.model", Value::Text("gpt2".into())),
        ("tokenizer.ggml.pre", Value::Text("qwen2".into())),
        ("tokenizer.ggml.eos_token_id", Value::U32(id("<|im_end|>"))),
        ("tokenizer.ggml.padding_token_id", Value::U32(id("<|endoftext|>"))),
        ("tokenizer.ggml.add_bos_token", Value::Flag(false)),
        ("tokenizer.chat_template", Value::Text(TEMPLATE.into())),
        ("tokenizer.ggml.tokens", Value::Texts(tokens.clone())),
        ("tokenizer.ggml.token_type", Value::I32s(token_types)),
        ("tokenizer.ggml.merges", Value::Texts(merges)),
    ];
    let mut file = TinyGguf {
        version: 3,
        metadata: metadata.map(|(key, value)| (key.to_string(), value)).to_vec(),
        tensors: Vec::new(),
        alignment: 32,
    };
    let config = Config {
        name: "miniature".to_owned(),
        layers,
        hidden,
        heads,
        kv_heads,
        head_dim,
        ffn,
        vocab: tokens.len(),
        context_length: 128,
        rms_eps: 1e-6,
        rope_theta: 1e6,
        eos_ids: Vec::new(),
        tied,
        family: ground::config::QWEN3,
    };
    let mut random = SplitMix64::new(1);
    for (name, rows, columns) in config.tensors() {
        let norm = name.ends_with("norm.weight");
        let tensor = if norm { norm_of } else { matrix_of };
        file.tensors.push(tensor(name, rows, columns, &mut random));
    }
    file.lay_out();
    file
}

/// As [`tiny_gguf_of`], with matrices of the types that `type_of` gives for their names; rows must be whole blocks.
pub fn tiny_gguf_in(shape: TinyShape, type_of: impl Fn(&str) -> StoredType) -> TinyGguf {
    let mut file = tiny_gguf_of(shape);
    let mut noise = SplitMix64::new(5);
    for tensor in file.tensors.iter_mut().filter(|tensor| !tensor.name.contains("norm")) {
        let stored = type_of(&tensor.name);
        let blocks = tensor.dims.iter().product::<u64>() as usize / stored.block_len();
        tensor.kind = number_of(stored);
        tensor.bytes = (0..blocks).flat_map(|_| block(&mut noise, stored)).collect();
    }
    file.lay_out();
    file
}

/// The format's number for a type.
pub fn number_of(stored: StoredType) -> u32 {
    match stored {
        StoredType::F32 => 0,
        StoredType::F16 => 1,
        StoredType::Q4_0 => 2,
        StoredType::Q4_1 => 3,
        StoredType::Q8_0 => 8,
        StoredType::Q4_K => 12,
        StoredType::Q5_K => 13,
        StoredType::Q6_K => 14,
        other => unreachable!("{} is not tried here", other.name()),
    }
}

/// Random integers, with scales and minima that make weights around zero, most of them below 1/8; or such a number.
fn block(noise: &mut SplitMix64, stored: StoredType) -> Vec<u8> {
    let small = |noise: &mut SplitMix64| noise.fraction() as f32 / 4.0 - 0.125;
    let scales: &[(usize, f32)] = match stored {
        StoredType::F32 => return small(noise).to_le_bytes().into(),
        StoredType::F16 => return f16::from_f32(small(noise)).to_le_bytes().into(),
        StoredType::Q4_0 => &[(0, 1.4e-2)],
        StoredType::Q4_1 => &[(0, 1.4e-2), (2, -0.1)],
        StoredType::Q4_K => &[(0, 2.7e-4), (2, 2e-3)],
        StoredType::Q5_K => &[(0, 1.3e-4), (2, 2e-3)],
        StoredType::Q6_K => &[(208, 4.6e-5)],
        _ => &[(0, 8e-4)],
    };
    let mut block = vec![0; stored.block_bytes()];
    block.fill_with(|| noise.below(256) as u8);
    for &(at, scale) in scales {
        let scale = f16::from_f32(scale * (0.75 + noise.fraction() as f32 / 2.0));
        block[at..at + 2].copy_from_slice(&scale.to_le_bytes());
    }
    block
}

/// Short, and of the same form as the template of a real file.
pub const TEMPLATE: &str = "\
{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}\
{% if add_generation_prompt %}<|im_start|>assistant\n\
{% if enable_thinking is defined and enable_thinking is false %}<think>\n\n</think>\n\n{% endif %}\
{% endif %}";

/// Tokens, their types, merges.
fn vocabulary() -> (Vec<String>, Vec<i32>, Vec<String>) {
    let mut tokens: Vec<String> = byte_alphabet().map(String::from).to_vec();
    let merges = [("Ġ", "a"), ("t", "h"), ("th", "e"), ("Ġ", "the")];
    tokens.extend(merges.map(|(left, right)| format!("{left}{right}")));
    let mut token_types = vec![1; tokens.len()];
    for token in ["<|endoftext|>", "<|im_start|>", "<|im_end|>"] {
        tokens.push(token.to_string());
        token_types.push(3); // special
    }
    for token in ["<think>", "</think>"] {
        tokens.push(token.to_string());
        token_types.push(4); // added, but shown
    }
    (tokens, token_types, merges.map(|(left, right)| format!("{left} {right}")).to_vec())
}

/// Numbers around 1, as F32.
fn norm_of(name: String, _rows: usize, columns: usize, random: &mut SplitMix64) -> TinyTensor {
    let mut weight = || 1.0 + random.below(256) as f32 / 1024.0;
    let bytes = (0..columns).flat_map(|_| weight().to_le_bytes()).collect();
    TinyTensor { name, dims: vec![columns as u64], kind: 0, offset: 0, bytes }
}

/// Q8_0 blocks with one scale for all.
fn matrix_of(name: String, rows: usize, columns: usize, random: &mut SplitMix64) -> TinyTensor {
    assert!(columns.is_multiple_of(32), "{name}: rows of {columns} are not whole blocks");
    let mut bytes = Vec::new();
    for _ in 0..rows * columns / 32 {
        bytes.extend([0x00, 0x14]); // the scale: 2^-10 as a 16-bit float
        bytes.extend((0..32).map(|_| random.below(255) as u8));
    }
    TinyTensor { name, dims: vec![columns as u64, rows as u64], kind: 8, offset: 0, bytes }
}

impl TinyGguf {
    /// Puts the tensors one after another, each at a multiple of the alignment.
    pub fn lay_out(&mut self) {
        let mut offset = 0;
        for tensor in &mut self.tensors {
            tensor.offset = offset as u64;
            offset += tensor.bytes.len().next_multiple_of(self.alignment);
        }
    }

    /// Replaces a metadata value, or adds it.
    pub fn set(&mut self, key: &str, value: Value) {
        match self.metadata.iter_mut().find(|(k, _)| k == key) {
            Some((_, old)) => *old = value,
            None => self.metadata.push((key.to_string(), value)),
        }
    }

    /// Takes a metadata value away.
    pub fn remove(&mut self, key: &str) {
        self.metadata.retain(|(k, _)| k != key);
    }

    /// The tensor of this name, to change it.
    pub fn tensor_mut(&mut self, name: &str) -> &mut TinyTensor {
        self.tensors
            .iter_mut()
            .find(|tensor| tensor.name == name)
            .expect("a tensor of this name")
    }

    /// The part of the file before the tensors' data, without padding.
    pub fn header_bytes(&self) -> Vec<u8> {
        let mut out = b"GGUF".to_vec();
        out.extend(self.version.to_le_bytes());
        out.extend((self.tensors.len() as u64).to_le_bytes());
        out.extend((self.metadata.len() as u64).to_le_bytes());
        for (key, value) in &self.metadata {
            text(&mut out, key);
            value.write(&mut out);
        }
        for tensor in &self.tensors {
            text(&mut out, &tensor.name);
            out.extend((tensor.dims.len() as u32).to_le_bytes());
            out.extend(tensor.dims.iter().flat_map(|dim| dim.to_le_bytes()));
            out.extend(tensor.kind.to_le_bytes());
            out.extend(tensor.offset.to_le_bytes());
        }
        out
    }

    /// The whole file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = self.header_bytes();
        out.resize(out.len().next_multiple_of(self.alignment.max(1)), 0);
        let data_start = out.len();
        for tensor in &self.tensors {
            // A test may have set an offset outside the file: nothing is stored there then.
            let start = data_start.saturating_add(tensor.offset as usize);
            if start < 1 << 24 {
                out.resize(out.len().max(start + tensor.bytes.len()), 0);
                out[start..start + tensor.bytes.len()].copy_from_slice(&tensor.bytes);
            }
        }
        out
    }

    /// The metadata as a person would list it, for messages of failing tests.
    pub fn summary(&self) -> String {
        let mut out = String::new();
        for (key, value) in &self.metadata {
            let _ = writeln!(out, "{key}: {value:?}");
        }
        out
    }
}

impl Value {
    fn write(&self, out: &mut Vec<u8>) {
        let kind: u32 = match self {
            Value::U32(_) => 4,
            Value::F32(_) => 6,
            Value::Flag(_) => 7,
            Value::Text(_) => 8,
            Value::Texts(_) | Value::I32s(_) => 9,
            Value::I64(_) => 11,
            Value::Raw(kind, _) => *kind,
        };
        out.extend(kind.to_le_bytes());
        match self {
            Value::U32(n) => out.extend(n.to_le_bytes()),
            Value::I64(n) => out.extend(n.to_le_bytes()),
            Value::F32(n) => out.extend(n.to_le_bytes()),
            Value::Flag(flag) => out.push(u8::from(*flag)),
            Value::Text(t) => text(out, t),
            Value::Texts(texts) => {
                out.extend(8u32.to_le_bytes());
                out.extend((texts.len() as u64).to_le_bytes());
                texts.iter().for_each(|t| text(out, t));
            }
            Value::I32s(numbers) => {
                out.extend(5u32.to_le_bytes());
                out.extend((numbers.len() as u64).to_le_bytes());
                out.extend(numbers.iter().flat_map(|n| n.to_le_bytes()));
            }
            Value::Raw(_, bytes) => out.extend(bytes),
        }
    }
}

fn text(out: &mut Vec<u8>, text: &str) {
    out.extend((text.len() as u64).to_le_bytes());
    out.extend(text.as_bytes());
}
