//! `inspect FILE`: metadata, the model's numbers, every tensor with its shape, type and size.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use ground::cli::open_model;
use ground::config::Config;
use ground::error::Error;
use ground::gguf::Gguf;
use ground::text::{NAME, one_line};

use crate::size::size;

/// What to show.
#[derive(clap::Args)]
pub struct Args {
    /// The file [default: the tiny model inside this program]
    file: Option<PathBuf>,
}

/// Prints all of it to standard output.
pub fn run(args: &Args) -> Result<(), Error> {
    let file = open_model(args.file.as_deref())?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    metadata(&mut out, &file)?;
    numbers(&mut out, &file)?;
    tensors(&mut out, &file)?;
    out.flush()?;
    Ok(())
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
    let config = match Config::from_gguf(file) {
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

fn tensors(out: &mut impl Write, file: &Gguf) -> io::Result<()> {
    writeln!(out, "\ntensors")?;
    let mut of_each_type: BTreeMap<&str, (usize, usize, usize)> = BTreeMap::new();
    for tensor in file.tensors() {
        let shape = format!("{} x {}", tensor.rows, tensor.columns);
        let (stored, bytes) = (tensor.stored.name(), tensor.bytes.len());
        let name = one_line(tensor.name, NAME);
        writeln!(out, "  {name:<42} {shape:>15} {stored:>5} {:>11}", size(bytes as u128))?;
        let total = of_each_type.entry(stored).or_default();
        *total = (total.0 + 1, total.1 + tensor.rows * tensor.columns, total.2 + bytes);
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

#[cfg(test)]
mod tests {
    use super::*;
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
        assert!(out.contains(r"a\n\u{1b}[2J\u{202e}xxx"), "{out}");
    }
}
