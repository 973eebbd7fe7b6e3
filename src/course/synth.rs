//! `synth OUT`: a Qwen3 file of any shape with random weights, so that speed at real size needs
//! no download. What it says is nonsense; how long it takes to say it is not.
//!
//! The same arguments give the same bytes. All types hold the same numbers, rounded their way.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use clap::builder::RangedU64ValueParser;
use gguf_rs_lib::error::GGUFError;
use gguf_rs_lib::format::{GGUFHeader, GGUFTensorType, Metadata, MetadataValue, TensorInfo};
use ground::bar::Bar;
use ground::config::Config;
use ground::embedded;
use ground::error::Error;
use ground::gguf::Gguf;
use half::{bf16, f16};

use crate::synth_vocabulary::{Vocabulary, smallest_vocabulary};

/// Which shape, which type, and where to.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The file to write; it must not exist yet
    out: PathBuf,

    /// The shape to start from
    #[arg(long, value_enum, default_value = "qwen3-0.6b")]
    shape: Shape,

    /// How the matrices are stored; norms are always F32
    #[arg(long = "type", value_enum, default_value = "q8_0", ignore_case = true)]
    kind: Kind,

    /// Where the random numbers start
    #[arg(long, default_value_t = 0)]
    seed: u64,

    #[arg(long, help = "How many layers [default: the shape's]", value_parser = count())]
    layers: Option<u64>,
    #[arg(long, help = "The width between layers [default: the shape's]", value_parser = count())]
    hidden: Option<u64>,
    #[arg(long, help = "How many query heads [default: the shape's]", value_parser = count())]
    heads: Option<u64>,
    #[arg(long, help = "How many key heads [default: the shape's]", value_parser = count())]
    kv_heads: Option<u64>,
    #[arg(long, help = "The width of a head [default: the shape's]", value_parser = count())]
    head_dim: Option<u64>,
    #[arg(long, help = "The feed-forward width [default: the shape's]", value_parser = count())]
    ffn: Option<u64>,
    #[arg(long, help = "How many tokens [default: the shape's]", value_parser = count())]
    vocab: Option<u64>,
    #[arg(long, help = "How many positions [default: the shape's]", value_parser = count())]
    context: Option<u64>,

    /// Give the logits a matrix of their own
    #[arg(long)]
    untied: bool,
}

/// Large enough for every Qwen3, and small enough that no product overflows.
fn count() -> RangedU64ValueParser {
    RangedU64ValueParser::new().range(1..=1_000_000)
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Shape {
    #[value(name = "qwen3-0.6b")]
    Qwen3Small,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Kind {
    F32,
    F16,
    #[value(name = "bf16")]
    Bf16,
    #[value(name = "q8_0")]
    Q8_0,
    #[value(name = "q4_0")]
    Q4_0,
}

impl Kind {
    fn number(self) -> GGUFTensorType {
        match self {
            Kind::F32 => GGUFTensorType::F32,
            Kind::F16 => GGUFTensorType::F16,
            Kind::Bf16 => GGUFTensorType::BF16,
            Kind::Q8_0 => GGUFTensorType::Q8_0,
            Kind::Q4_0 => GGUFTensorType::Q4_0,
        }
    }

    /// What the format calls a file that is mostly of this type.
    fn file_type(self) -> u32 {
        match self {
            Kind::F32 => 0,
            Kind::F16 => 1,
            Kind::Bf16 => 32,
            Kind::Q8_0 => 7,
            Kind::Q4_0 => 2,
        }
    }

    fn block_len(self) -> u64 {
        self.number().block_size() as u64
    }
}

/// Writes the file, tries it, and only then gives it its name.
pub fn run(args: &Args) -> Result<(), Error> {
    write(args).map_err(|error| Error::Chapter(format!("{}: {error}", args.out.display())))
}

#[derive(Debug, thiserror::Error)]
enum SynthError {
    #[error("there is a file of this name already: remove it, or choose another name")]
    Exists,
    #[error("{name} is {found}, expected {expected}")]
    Shape { name: &'static str, found: u64, expected: String },
    #[error("cannot be written: {0}")]
    Io(#[from] io::Error),
    #[error("cannot be written: {0}")]
    Format(#[from] GGUFError),
    #[error("was written wrongly: {0}")]
    Wrong(Error),
}

fn write(args: &Args) -> Result<(), SynthError> {
    let numbers = Numbers::from_args(args)?;
    if args.out.exists() {
        return Err(SynthError::Exists);
    }
    let plan = plan(&numbers, args.kind);
    let unfinished = Unfinished::beside(&args.out);
    {
        let mut file = File::create(&unfinished.0)?;
        let header_length = write_header(&mut file, &numbers, args, &plan)?;
        write_tensors(&mut file, header_length, args, &plan)?;
        file.sync_all()?;
    }
    check(&unfinished.0).map_err(SynthError::Wrong)?;
    fs::rename(&unfinished.0, &args.out)?;
    Ok(())
}

/// A file that is not whole yet, under another name. It goes away however the work ends.
struct Unfinished(PathBuf);

impl Unfinished {
    fn beside(out: &Path) -> Unfinished {
        let mut name = out.file_name().unwrap_or_default().to_owned();
        name.push(format!(".unfinished-{}", std::process::id()));
        Unfinished(out.with_file_name(name))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // After the renaming there is nothing of this name, and nothing to remove.
        let _ = fs::remove_file(&self.0);
    }
}

fn check(path: &Path) -> Result<(), Error> {
    Config::from_gguf(&Gguf::open(path)?)?;
    Ok(())
}

struct Numbers {
    layers: u64,
    hidden: u64,
    heads: u64,
    kv_heads: u64,
    head_dim: u64,
    ffn: u64,
    vocab: u64,
    context: u64,
    tied: bool,
}

impl Numbers {
    fn from_args(args: &Args) -> Result<Numbers, SynthError> {
        let shape = match args.shape {
            Shape::Qwen3Small => Numbers {
                layers: 28,
                hidden: 1024,
                heads: 16,
                kv_heads: 8,
                head_dim: 128,
                ffn: 3072,
                vocab: 151_936,
                context: 40_960,
                tied: true,
            },
        };
        let numbers = Numbers {
            layers: args.layers.unwrap_or(shape.layers),
            hidden: args.hidden.unwrap_or(shape.hidden),
            heads: args.heads.unwrap_or(shape.heads),
            kv_heads: args.kv_heads.unwrap_or(shape.kv_heads),
            head_dim: args.head_dim.unwrap_or(shape.head_dim),
            ffn: args.ffn.unwrap_or(shape.ffn),
            vocab: args.vocab.unwrap_or(shape.vocab),
            context: args.context.unwrap_or(shape.context),
            tied: shape.tied && !args.untied,
        };
        let block = args.kind.block_len();
        let q_width = numbers.heads * numbers.head_dim;
        for (name, found, fits, expected) in [
            ("kv-heads", numbers.kv_heads, numbers.heads.is_multiple_of(numbers.kv_heads), 0),
            ("head-dim", numbers.head_dim, numbers.head_dim.is_multiple_of(2), 2),
            ("hidden", numbers.hidden, numbers.hidden.is_multiple_of(block), block),
            ("heads times head-dim", q_width, q_width.is_multiple_of(block), block),
            ("ffn", numbers.ffn, numbers.ffn.is_multiple_of(block), block),
        ] {
            if !fits {
                let expected = match expected {
                    0 => format!("a divisor of the {} heads", numbers.heads),
                    unit => format!("a multiple of {unit}"),
                };
                return Err(SynthError::Shape { name, found, expected });
            }
        }
        if numbers.vocab < smallest_vocabulary() {
            let expected = format!("{} or more", smallest_vocabulary());
            return Err(SynthError::Shape { name: "vocab", found: numbers.vocab, expected });
        }
        Ok(numbers)
    }
}

/// One tensor to write: numbers spread around `mean`.
struct Planned {
    name: String,
    rows: u64,
    columns: u64,
    kind: Kind,
    mean: f32,
    spread: f32, // standard deviation
}

impl Planned {
    fn bytes(&self) -> u64 {
        let kind = self.kind.number();
        kind.checked_calculate_size(self.rows * self.columns).unwrap_or(u64::MAX)
    }
}

/// All tensors, with weights that keep a forward pass sane.
///
/// A matrix whose weights spread by `1 / sqrt(columns)` keeps the size of what passes through.
/// - The logits should spread by 3: then the best of 150,000 stands out by some tenths, and
///   greedy picks are not a matter of rounding. So the embedding spreads by `3 / sqrt(hidden)`.
/// - With tied weights a token's own embedding, if much of it is left at the end, makes the model
///   repeat that token for ever. So the layers together add about 1.5 to the stream, sixteen
///   times the embedding: their output matrices are scaled to that, whatever their number.
/// - Norms of queries and keys around 1.75 make attention choose. Around 1 it would average the
///   past, and the longer that is the less would be left.
fn plan(numbers: &Numbers, kind: Kind) -> Vec<Planned> {
    let Numbers { hidden, head_dim, ffn, vocab, .. } = *numbers;
    let (q_width, kv_width) = (numbers.heads * head_dim, numbers.kv_heads * head_dim);
    let mut plan = Vec::new();
    let matrix = |plan: &mut Vec<Planned>, name: String, rows: u64, columns: u64, gain: f32| {
        let spread = gain / (columns as f32).sqrt();
        plan.push(Planned { name, rows, columns, kind, mean: 0.0, spread });
    };
    let norm = |plan: &mut Vec<Planned>, name: String, columns: u64, mean: f32| {
        plan.push(Planned { name, rows: 1, columns, kind: Kind::F32, mean, spread: 0.05 });
    };
    let logits_gain = 3.0;
    let output_gain = 2.5 / (2.0 * numbers.layers as f32).sqrt();

    matrix(&mut plan, "token_embd.weight".to_owned(), vocab, hidden, logits_gain);
    for layer in 0..numbers.layers {
        let name = |part: &str| format!("blk.{layer}.{part}.weight");
        norm(&mut plan, name("attn_norm"), hidden, 1.0);
        matrix(&mut plan, name("attn_q"), q_width, hidden, 1.0);
        matrix(&mut plan, name("attn_k"), kv_width, hidden, 1.0);
        matrix(&mut plan, name("attn_v"), kv_width, hidden, 1.0);
        norm(&mut plan, name("attn_q_norm"), head_dim, 1.75);
        norm(&mut plan, name("attn_k_norm"), head_dim, 1.75);
        matrix(&mut plan, name("attn_output"), hidden, q_width, output_gain);
        norm(&mut plan, name("ffn_norm"), hidden, 1.0);
        matrix(&mut plan, name("ffn_gate"), ffn, hidden, 1.0);
        matrix(&mut plan, name("ffn_up"), ffn, hidden, 1.0);
        matrix(&mut plan, name("ffn_down"), hidden, ffn, output_gain);
    }
    norm(&mut plan, "output_norm.weight".to_owned(), hidden, 1.0);
    if !numbers.tied {
        matrix(&mut plan, "output.weight".to_owned(), vocab, hidden, logits_gain);
    }
    plan
}

const ALIGNMENT: u64 = 32;

/// Writes everything before the tensors' data, and returns how long it is.
fn write_header(
    file: &mut File,
    numbers: &Numbers,
    args: &Args,
    plan: &[Planned],
) -> Result<u64, SynthError> {
    let metadata = metadata(numbers, args)?;
    let mut out = Vec::new();
    GGUFHeader::new(plan.len() as u64, metadata.len() as u64).write_to(&mut out)?;
    metadata.write_to(&mut out)?;
    let mut offset = 0;
    for tensor in plan {
        let dimensions = match tensor.rows {
            1 => vec![tensor.columns],
            rows => vec![tensor.columns, rows],
        };
        let kind = tensor.kind.number() as u32;
        TensorInfo::new(tensor.name.clone(), dimensions, kind, offset).write_to(&mut out)?;
        offset = offset.saturating_add(tensor.bytes()).next_multiple_of(ALIGNMENT);
    }
    file.write_all(&out)?;
    Ok(out.len() as u64)
}

fn metadata(numbers: &Numbers, args: &Args) -> Result<Metadata, SynthError> {
    let vocabulary = Vocabulary::new(numbers.vocab);
    let count = |n: u64| MetadataValue::U32(n as u32);
    let text = |text: &str| MetadataValue::String(text.to_owned());
    let template = embedded::tiny_qwen3()
        .and_then(|file| Ok(file.text("tokenizer.chat_template")?.to_owned()))
        .map_err(|error| SynthError::Wrong(error.into()))?;
    let mut metadata = Metadata::new();
    for (key, value) in [
        ("general.architecture", text("qwen3")),
        ("general.name", text("synthetic")),
        ("general.file_type", MetadataValue::U32(args.kind.file_type())),
        ("general.quantization_version", MetadataValue::U32(2)),
        ("general.alignment", count(ALIGNMENT)),
        ("qwen3.block_count", count(numbers.layers)),
        ("qwen3.context_length", count(numbers.context)),
        ("qwen3.embedding_length", count(numbers.hidden)),
        ("qwen3.feed_forward_length", count(numbers.ffn)),
        ("qwen3.attention.head_count", count(numbers.heads)),
        ("qwen3.attention.head_count_kv", count(numbers.kv_heads)),
        ("qwen3.attention.key_length", count(numbers.head_dim)),
        ("qwen3.attention.value_length", count(numbers.head_dim)),
        ("qwen3.attention.layer_norm_rms_epsilon", MetadataValue::F32(1e-6)),
        ("qwen3.rope.freq_base", MetadataValue::F32(1e6)),
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
fn write_tensors(
    file: &mut File,
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
        let start = mix(mix(args.seed) ^ index as u64);
        let count = tensor.rows * tensor.columns;
        let mut done = 0;
        while done < count {
            let end = (done + (1 << 20)).min(count); // whole blocks: 2^20 is a multiple of 32
            numbers.clear();
            numbers.extend((done..end).map(|i| tensor.mean + tensor.spread * normal(start, i)));
            bytes.clear();
            round(tensor.kind, &numbers, &mut bytes);
            file.write_all(&bytes)?;
            position += bytes.len() as u64;
            bar.advance(bytes.len() as u64);
            done = end;
        }
    }
    pad(file, &mut position)
}

fn pad(file: &mut File, position: &mut u64) -> io::Result<()> {
    let padding = position.next_multiple_of(ALIGNMENT) - *position;
    *position += padding;
    file.write_all(&[0; ALIGNMENT as usize][..padding as usize])
}

/// The `i`-th random number that begins at `start`: nearly normal, mean 0, standard deviation 1.
fn normal(start: u64, i: u64) -> f32 {
    // The sum of four even draws of 16 bits; it has mean 4 * 32767.5 and this deviation.
    let bits = mix(start.wrapping_add(i.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
    let sum = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48);
    (sum as f32 - 131_070.0) / 37_837.227
}

/// The finishing step of the splitmix64 generator: every bit of the result depends on all others.
fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

/// Rounds whole blocks of numbers to how they are stored.
fn round(kind: Kind, numbers: &[f32], out: &mut Vec<u8>) {
    match kind {
        Kind::F32 => numbers.iter().for_each(|x| out.extend(x.to_le_bytes())),
        Kind::F16 => numbers.iter().for_each(|x| out.extend(f16::from_f32(*x).to_le_bytes())),
        Kind::Bf16 => numbers.iter().for_each(|x| out.extend(bf16::from_f32(*x).to_le_bytes())),
        Kind::Q8_0 => {
            numbers.as_chunks().0.iter().for_each(|block| out.extend(round_q8_0(block)))
        }
        Kind::Q4_0 => {
            numbers.as_chunks().0.iter().for_each(|block| out.extend(round_q4_0(block)))
        }
    }
}

/// The largest becomes 127 or -127.
fn round_q8_0(block: &[f32; 32]) -> [u8; 34] {
    let largest = block.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
    let scale = largest / 127.0;
    let inverse = if scale == 0.0 { 0.0 } else { 1.0 / scale };
    let mut out = [0; 34];
    out[..2].copy_from_slice(&f16::from_f32(scale).to_le_bytes());
    for (byte, x) in out[2..].iter_mut().zip(block) {
        let scaled = x * inverse;
        *byte = (scaled + 0.5f32.copysign(scaled)) as i8 as u8;
    }
    out
}

/// The one furthest from zero becomes -8, which has no positive twin.
fn round_q4_0(block: &[f32; 32]) -> [u8; 18] {
    let furthest =
        block.iter().fold(0.0f32, |far, x| if x.abs() > far.abs() { *x } else { far });
    let scale = furthest / -8.0;
    let inverse = if scale == 0.0 { 0.0 } else { 1.0 / scale };
    let four_bits = |x: f32| ((x * inverse + 8.5) as u8).min(15);
    let mut out = [0; 18];
    out[..2].copy_from_slice(&f16::from_f32(scale).to_le_bytes());
    for i in 0..16 {
        out[2 + i] = four_bits(block[i]) | (four_bits(block[i + 16]) << 4);
    }
    out
}
