//! `inspect FILE`: metadata, the model's numbers, in what its family differs from others, every tensor with its shape, type
//! and size, and what an engine that uses weights as the file has them takes for them, and for a position of the past; and
//! about how many tokens a second this machine writes with it, for each of which it reads all weights once.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use ground::cli::open_model;
use ground::config::{Config, QWEN3, ROPE_FACTORS};
use ground::error::Error;
use ground::gguf::Gguf;
use ground::machine::{available_memory, read_bandwidth_of, usable_cores};
use ground::tensor::Tensor;
use ground::text::{NAME, one_line};

use crate::family::{PARTS, Traits};
use crate::size::size;
use crate::synth::family;
use crate::weight_reads::Read;

/// What to show.
#[derive(clap::Args)]
pub struct Args {
    /// The file [default: the tiny model inside this program]
    file: Option<PathBuf>,

    /// In place of a file: what each size of the family takes here in each usual type, and about how fast it is
    #[arg(long, conflicts_with = "file")]
    sizes: bool,
}

/// Prints all of it to standard output.
pub fn run(args: &Args) -> Result<(), Error> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    if args.sizes {
        sizes(&mut out)?;
        return Ok(out.flush()?);
    }
    let file = open_model(args.file.as_deref())?;
    metadata(&mut out, &file)?;
    numbers(&mut out, &file)?;
    differences(&mut out, &file)?;
    tensors(&mut out, &file)?;
    if let Some((read, chapter)) = memory(&mut out, &file)? {
        out.flush()?; // the read test takes a moment
        speed(&mut out, read, chapter)?;
    }
    Ok(out.flush()?)
}

fn metadata(out: &mut impl Write, file: &Gguf) -> io::Result<()> {
    writeln!(out, "metadata")?;
    for key in file.keys() {
        let shown = one_line(key, NAME);
        writeln!(out, "  {shown:<42} {}", file.describe(key))?;
    }
    Ok(())
}

/// A file of another model can still be looked at: why it cannot be run is part of the answer.
fn numbers(out: &mut impl Write, file: &Gguf) -> io::Result<()> {
    let config = match Config::of(file, &PARTS) {
        Ok(config) => config,
        Err(error) => return writeln!(out, "\nconfig\n  cannot be run: {error}"),
    };
    writeln!(out, "\nconfig")?;
    for (name, value) in [
        ("name", format!("\"{}\"", config.name)),
        ("layers", config.layers.to_string()),
        ("hidden", config.hidden.to_string()),
        ("heads", format!("{} for queries, {} for keys", config.heads, config.kv_heads)),
        ("head_dim", config.head_dim.to_string()),
        ("ffn", config.ffn.to_string()),
        ("vocab", config.vocab.to_string()),
        ("context_length", config.context_length.to_string()),
        ("rms_eps", format!("{:e}", config.rms_eps)),
        ("rope_theta", config.rope_theta.to_string()),
        ("eos_ids", format!("{:?}", config.eos_ids)),
        ("tied", config.tied.to_string()),
    ] {
        writeln!(out, "  {name:<42} {value}")?;
    }
    Ok(())
}

/// A line for each row of the table with which chapter 15 begins. Most of it is in the file; for the rest, its architecture
/// stands.
fn differences(out: &mut impl Write, file: &Gguf) -> Result<(), Error> {
    let Ok(config) = Config::of(file, &PARTS) else { return Ok(()) };
    writeln!(out, "\nfamily")?;
    let traits = match Traits::of(file, &config) {
        Ok(traits) => traits,
        Err(error) => return Ok(writeln!(out, "  cannot be run: {error}")?),
    };
    let (parts, yes) = (traits.parts, |there| if there { "yes" } else { "no" }.to_owned());
    let mut turns = if traits.neighbours { "neighbours" } else { "halves" }.to_owned();
    if file.has_tensor(ROPE_FACTORS) {
        turns += ", its frequencies divided by factors";
    }
    let mut sees = "all keys".to_owned();
    if let Some(own) = traits.window {
        let (keys, theta) =
            (parts.key("attention.sliding_window"), parts.key("rope.freq_base_swa"));
        let theta = if file.has(&theta) { file.float(&theta)? as f32 } else { own.theta };
        turns += &format!(", by base {theta} in layers with a window");
        sees = format!("{} keys; all in one layer of {}", file.integer(&keys)?, own.period);
    }
    let scale = (config.hidden as f32).sqrt();
    let scale =
        if traits.scaled { format!("multiplied by {scale:.3}") } else { "as it is".to_owned() };
    for (name, value) in [
        ("runs", format!("from chapter {} on", if parts == QWEN3 { 0 } else { 15 })),
        ("norms of queries and keys", yes(parts.qk_norm)),
        ("biases of queries, keys, values", yes(parts.qkv_bias)),
        ("norms after each half", yes(parts.post_norms)),
        ("gates", if traits.gelu { "GELU" } else { "SiLU" }.to_owned()),
        ("the rotary embedding turns", turns),
        ("the embedding is", scale),
        ("a query sees", sees),
    ] {
        writeln!(out, "  {name:<42} {value}")?;
    }
    Ok(())
}

fn tensors(out: &mut impl Write, file: &Gguf) -> io::Result<()> {
    writeln!(out, "\ntensors")?;
    let mut of_each_type: BTreeMap<&str, (usize, usize, usize)> = BTreeMap::new();
    for place in file.places() {
        let shape = format!("{} x {}", place.rows, place.columns);
        let (stored, bytes) = (place.type_in_file(), place.range.len());
        let name = one_line(&place.name, NAME);
        writeln!(out, "  {name:<42} {shape:>15} {stored:>5} {:>11}", size(bytes as u128))?;
        let total = of_each_type.entry(stored).or_default();
        *total = (total.0 + 1, total.1 + place.rows * place.columns, total.2 + bytes);
    }
    writeln!(out, "\ntotals")?;
    let mut all = (0, 0, 0);
    for (stored, (count, numbers, bytes)) in of_each_type {
        let line = format!("{count} tensors, {numbers} numbers, {}", size(bytes as u128));
        writeln!(out, "  {stored:<42} {line}")?;
        all = (all.0 + count, all.1 + numbers, all.2 + bytes);
    }
    let line = format!("{} tensors, {} numbers, {}", all.0, all.1, size(all.2 as u128));
    writeln!(out, "  {:<42} {line}", "all")
}

/// From chapter 5 on every matrix is used where it is, and only norms are copied. Returns what one token reads of them, and
/// the first chapter of which that is true. Of a file that cannot be run this says nothing.
fn memory(out: &mut impl Write, file: &Gguf) -> io::Result<Option<(Read, usize)>> {
    let Ok(config) = Config::of(file, &PARTS) else { return Ok(None) };
    let since = |chapter| if config.family == QWEN3 { chapter } else { 15 };
    let (mut in_place, mut rewritten, mut widened) = ((0, 0), (0, 0), (0, 0));
    let mut read = Read::default();
    for place in file.places() {
        let (kept, bytes) = if place.type_in_file() != place.stored.name() {
            (&mut rewritten, place.rows * place.stored.row_bytes(place.columns))
        } else if file.tensor(&place.name).is_ok_and(|tensor| is_used_in_place(&tensor)) {
            (&mut in_place, place.range.len())
        } else {
            (&mut widened, place.rows * place.columns * size_of::<f32>())
        };
        *kept = (kept.0 + 1, kept.1 + bytes);
        read.add(&place.name, config.tied, place.stored, bytes as u64);
    }
    let all = [in_place, rewritten, widened].iter().fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    writeln!(out, "\nweights in memory, from chapter {} on", since(5))?;
    for (name, (count, bytes)) in [
        ("in place, as the file has them", in_place),
        ("rewritten in another type", rewritten),
        ("copied and widened to F32", widened),
        ("all", all),
    ] {
        if count > 0 {
            writeln!(out, "  {name:<42} {count} tensors, {}", size(bytes as u128))?;
        }
    }
    let numbers = [2, config.layers, config.kv_heads, config.head_dim];
    let numbers: u128 = numbers.map(|number| number as u128).iter().product();
    writeln!(out, "\nkeys and values of a position, in all layers")?;
    let halves = format!("as F16, from chapter {} on", since(8));
    for (name, bytes) in [("as F32", 4), (halves.as_str(), 2)] {
        writeln!(out, "  {name:<42} {}", size(bytes * numbers))?;
    }
    if let Some(own) = Traits::of(file, &config).ok().and_then(|traits| traits.window) {
        let (all, layers) = (config.layers / own.period, config.layers as u128);
        let bytes = size(2 * numbers / layers * all as u128);
        writeln!(out, "  {:<42} {bytes}", "of that in layers that see all keys")?;
    }
    Ok(Some((read, since(5))))
}

/// Weights of less than this may stay in the processor's caches: how fast memory is then says nothing.
const CACHED: u64 = 64 << 20;

/// From the rate at which memory can be read just now.
fn speed(out: &mut impl Write, read: Read, chapter: usize) -> io::Result<()> {
    if read.bytes < CACHED {
        return Ok(());
    }
    writeln!(out, "\nspeed on this machine, from chapter {chapter} on")?;
    let threads = usable_cores();
    let Some(rate) = read_bandwidth_of(threads) else {
        return writeln!(out, "  no room for the 256 MiB of the read test");
    };
    let line = format!("{} a second, with {threads} threads", size(rate as u128));
    writeln!(out, "  {:<42} {line}", "memory can be read at")?;
    let (about, most) = (rounded(read.speed(rate)), rounded(rate / read.bytes as f64));
    let line =
        format!("about {about} tok/s, at most {most}: each reads {}", size(read.bytes.into()));
    writeln!(out, "  {:<42} {line}", "so it writes")
}

/// The same for files that need not be there: one line for each size, one column for each type.
fn sizes(out: &mut impl Write) -> io::Result<()> {
    let threads = usable_cores();
    let rate = read_bandwidth_of(threads);
    let (read, free) = (rate.map(|rate| rate as u64), available_memory());
    let known = |bytes: Option<u64>| bytes.map_or("n/a".into(), |bytes| size(bytes.into()));
    writeln!(
        out,
        "memory: {} free, read at {} a second with {threads} threads",
        known(free),
        known(read)
    )?;
    writeln!(out, "weights in memory, and about how many tokens a second, from chapter 5 on")?;
    let mut last = String::new();
    for member in family() {
        if member.size != last {
            write!(out, "\n{:<12}", member.size)?;
            last = member.size;
        }
        let speed = match (free, rate) {
            (Some(free), _) if free < member.bytes => "too large".into(),
            (_, Some(rate)) => format!("{} tok/s", rounded(member.read.speed(rate))),
            (_, None) => "n/a".into(),
        };
        write!(out, "{:>8} {:>9} {speed:>9}", member.stored, size(member.bytes.into()))?;
    }
    writeln!(out)
}

/// No read test is worth more digits.
fn rounded(rate: f64) -> String {
    format!("{rate:.*}", usize::from(rate < 10.0))
}

/// Whether it is a matrix that lies in the file as a product takes it: floats where the
/// processor can read them, and blocks of bytes anywhere.
fn is_used_in_place(tensor: &Tensor) -> bool {
    let is_vector = tensor.name.ends_with("norm.weight")
        || tensor.name.ends_with(".bias")
        || tensor.name == ROPE_FACTORS;
    let is_lent = tensor.as_f32().is_some()
        || tensor.as_f16().is_some()
        || tensor.as_bf16().is_some()
        || tensor.stored.block_len() > 1;
    !is_vector && is_lent
}

#[cfg(test)]
mod tests {
    use ground::dtype::StoredType;

    use super::*;
    use ground::embedded;

    fn shown(file: &Gguf) -> String {
        let mut out = Vec::new();
        memory(&mut out, file).expect("weights");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn matrices_are_in_place_and_norms_are_not() {
        // The tiny model has 6 layers of 7 matrices and 4 norms, an embedding, and a last norm.
        let file = embedded::tiny_qwen3().expect("the tiny model");
        let of = |norms: bool| {
            let tensors = file.tensors().filter(|tensor| (tensor.rows == 1) == norms);
            let bytes: usize = tensors.map(|tensor| tensor.bytes.len()).sum();
            size(bytes as u128)
        };
        let all: usize = file.tensors().map(|tensor| tensor.bytes.len()).sum();
        let expected = [
            String::new(),
            "weights in memory, from chapter 5 on".to_owned(),
            format!("  {:<42} 43 tensors, {}", "in place, as the file has them", of(false)),
            format!("  {:<42} 25 tensors, {}", "copied and widened to F32", of(true)),
            format!("  {:<42} 68 tensors, {}", "all", size(all as u128)),
            String::new(),
            "keys and values of a position, in all layers".to_owned(),
            // 6 layers with 3 heads of 64 numbers for keys, and as many for values.
            format!("  {:<42} {}", "as F32", size(9_216)),
            format!("  {:<42} {}", "as F16, from chapter 8 on", size(4_608)),
        ];
        assert_eq!(shown(&file).lines().collect::<Vec<_>>(), expected);
    }

    /// What `lab/reference/other_families.py` made them of.
    #[test]
    fn a_family_has_a_line_for_each_difference() {
        let told = |file: &Gguf| {
            let mut out = Vec::new();
            differences(&mut out, file).expect("a family");
            let out = String::from_utf8(out).expect("text");
            out.lines().skip(2).map(|line| line[45..].to_owned()).collect::<Vec<_>>()
        };
        let open = |name| {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/families");
            Gguf::open(format!("{folder}/{name}.gguf").as_ref()).expect("a fixture")
        };
        let (other, none, every) = ("from chapter 15 on", "as it is", "all keys");
        let divided = "neighbours, its frequencies divided by factors";
        let gemma = "halves, by base 10000 in layers with a window";
        for (name, expected) in [
            ("llama3", [other, "no", "no", "no", "SiLU", divided, none, every]),
            ("smollm2", [other, "no", "no", "no", "SiLU", "neighbours", none, every]),
            ("qwen2", [other, "no", "yes", "no", "SiLU", "halves", none, every]),
            (
                "gemma3",
                [
                    other,
                    "yes",
                    "no",
                    "yes",
                    "GELU",
                    gemma,
                    "multiplied by 6.928",
                    "72 keys; all in one layer of 6",
                ],
            ),
        ] {
            assert_eq!(told(&open(name)), expected, "{name}");
        }
        let own = told(&embedded::tiny_qwen3().expect("the tiny model"));
        let expected = ["from chapter 0 on", "yes", "no", "no", "SiLU", "halves", none, every];
        assert_eq!(own, expected);

        // Seven layers with one head of 32 numbers for keys and for values, and one that sees all.
        let memory = shown(&open("gemma3"));
        let lines = memory.lines().skip_while(|line| !line.starts_with("keys and values"));
        let bytes: Vec<_> = lines.skip(1).map(|line| line[45..].to_owned()).collect();
        assert_eq!(bytes, [1_792, 896, 128].map(size));
        // Nothing of it is true in a chapter that can't open the file.
        let chapters: Vec<_> = memory.split("from chapter ").skip(1).collect();
        assert!(chapters.len() == 2 && chapters.iter().all(|rest| rest.starts_with("15 on")));
    }

    #[test]
    fn an_embedding_that_is_not_the_head_too_is_not_read_for_each_token() {
        let family = family();
        assert_eq!(family.len(), 12);
        for member in family {
            let unread = member.bytes - member.read.bytes;
            let embedding = match (member.size.as_str(), member.stored) {
                ("qwen3-8b", "Q4_K_M") => 151_936 * 4096 / 256 * 144,
                ("qwen3-8b", "Q8_0") => 151_936 * 4096 / 32 * 34,
                ("qwen3-8b", _) => 151_936 * 4096 * 2,
                _ => 0,
            };
            assert_eq!(unread, embedding, "{} {}", member.size, member.stored);
        }
    }

    #[test]
    fn floats_are_in_place_only_where_the_processor_can_read_them() {
        #[repr(align(64))]
        struct Aligned([u8; 64]);
        let memory = Aligned([0; 64]);
        for stored in StoredType::ALL.into_iter().filter(|stored| stored.block_len() == 1) {
            let length = stored.row_bytes(4);
            let at = |start: usize, name| {
                let bytes = &memory.0[start..start + length];
                is_used_in_place(&Tensor { name, rows: 2, columns: 2, stored, bytes })
            };
            let name = stored.name();
            assert!(at(0, "blk.0.attn_q.weight"), "{name}");
            assert!(!at(1, "blk.0.attn_q.weight"), "{name}: misaligned");
            assert!(!at(0, "blk.0.attn_q_norm.weight"), "{name}: a norm");
        }
    }

    #[test]
    fn whatever_a_file_says_stays_in_its_line() {
        let awful = format!("a\n\u{1b}[2J\u{202e}{}", "x".repeat(60_000));
        let text =
            |text: &str| [&(text.len() as u64).to_le_bytes()[..], text.as_bytes()].concat();
        let mut bytes = b"GGUF\x03\0\0\0".to_vec();
        bytes.extend([0_u64, 2].iter().flat_map(|count| count.to_le_bytes())); // tensors, keys
        for key in ["k".repeat(60_000).as_str(), "general.architecture"] {
            bytes.extend([text(key), 8_u32.to_le_bytes().to_vec(), text(&awful)].concat());
        }
        bytes.resize(bytes.len().next_multiple_of(32), 0);
        let file = Gguf::from_vec(bytes).expect("a file");

        let mut out = Vec::new();
        super::metadata(&mut out, &file).expect("metadata");
        numbers(&mut out, &file).expect("why it cannot be run");
        let out = String::from_utf8(out).expect("text");
        assert_eq!(out.lines().count(), 6, "{out}");
        for line in out.lines() {
            assert!(line.len() < 500 && !line.contains(char::is_control), "{line:?}");
            assert!(!line.contains('\u{202e}'), "{line:?}");
        }
        assert_eq!(shown(&file), "", "it cannot be run");
        assert!(out.contains(r"a\n\u{1b}[2J\u{202e}xxx"), "{out}");
    }
}
