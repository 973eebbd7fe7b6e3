//! `synth OUT`: a Qwen3 file of any shape with random weights, so that speed at real size needs
//! no download. What it says is nonsense; how long it takes to say it is not.
//!
//! The same arguments give the same bytes. All types hold the same numbers, rounded their way.

mod file;
mod k_types;
mod room;
mod shape;
mod stored;
#[cfg(test)]
mod tests;
mod vocabulary;
mod weights;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use clap::builder::RangedU64ValueParser;
use gguf_rs_lib::error::GGUFError;
use ground::config::Config;
use ground::error::Error;
use ground::gguf::Gguf;
use ground::text::path_line;

use crate::size::size;
use crate::weight_reads::Read;
use crate::whole_file;
use shape::Shape;
use stored::Kind;
use weights::plan;

/// Which shape, which type, and where to.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The file to write; it must not exist yet. Until it is whole it has no name, or where the
    /// system has no such files, OUT.unfinished-XXXXXX: after Ctrl-C, remove that
    out: PathBuf,

    /// The shape to start from
    #[arg(long, value_enum, default_value = "qwen3-0.6b")]
    shape: Shape,

    /// How the matrices are stored: q4_k_m is the usual mixture of Q4_K and Q6_K. Norms are
    /// always F32
    #[arg(long = "type", value_enum, default_value = "q8_0", ignore_case = true)]
    kind: Kind,

    /// Where the random numbers start
    #[arg(long, default_value_t = 0)]
    seed: u64,

    #[arg(long, help = "How many layers [default: the shape's]", value_parser = layers())]
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

/// Large enough for every Qwen3.
fn count() -> RangedU64ValueParser {
    RangedU64ValueParser::new().range(1..=1_000_000)
}

/// More than any Qwen3 has; each of them is eleven tensors in the list.
fn layers() -> RangedU64ValueParser {
    RangedU64ValueParser::new().range(1..=1_000)
}

/// Writes the file, and says what it is.
pub fn run(args: &Args) -> Result<(), Error> {
    Ok(writeln!(io::stdout(), "{}", create(args)?)?)
}

/// What the weights of one size take in one type.
pub struct Member {
    pub size: String,
    pub stored: &'static str,
    /// In the file, and in memory where they are used as the file has them.
    pub bytes: u64,
    pub read: Read,
}

/// The known shapes in the types that people download most.
pub fn family() -> Vec<Member> {
    let mut family = Vec::new();
    for shape in Shape::value_variants() {
        let size =
            shape.to_possible_value().map_or(String::new(), |name| name.get_name().into());
        let config = shape.config();
        for kind in [Kind::Q4_K_M, Kind::Q8_0, Kind::Bf16] {
            let (mut bytes, mut read) = (0, Read::default());
            for tensor in plan(&config, kind) {
                bytes += tensor.bytes();
                read.add(&tensor.name, config.tied, tensor.stored, tensor.bytes());
            }
            family.push(Member { size: size.clone(), stored: kind.name(), bytes, read });
        }
    }
    family
}

/// One line about the file that was written.
fn create(args: &Args) -> Result<String, Error> {
    let out = path_line(&args.out);
    let (config, bytes) =
        write(args).map_err(|error| Error::chapter(format!("{out}: {error}")))?;
    let Config { layers, hidden, heads, kv_heads, head_dim, ffn, vocab, .. } = config;
    let shape = format!(
        "{layers} layers, hidden {hidden}, heads {heads}/{kv_heads} of {head_dim}, ffn {ffn}, \
         vocab {vocab}"
    );
    let (size, kind) = (size(bytes.into()), args.kind.name());
    Ok(format!("{out}: {size}, {shape}, {kind}"))
}

#[derive(Debug, thiserror::Error)]
enum SynthError {
    #[error("there is a file of this name already: remove it, or choose another name")]
    Exists,
    #[error("{name} is {found}, expected {expected}")]
    Shape { name: &'static str, found: usize, expected: String },
    #[error(
        "the model would take {needed}, more than any file can hold: choose a smaller shape"
    )]
    TooLarge { needed: String },
    #[error(
        "the model takes {needed}, but only {free} are free there: choose a smaller shape, or \
         another disk"
    )]
    NoRoom { needed: String, free: String },
    #[error("cannot be written: {0}")]
    Io(#[from] io::Error),
    #[error("cannot be written: {0}")]
    Format(#[from] GGUFError),
    #[error("was written wrongly: {0}")]
    Wrong(Error),
}

/// Writes the file, tries it, and only then gives it its name: its shape and its length.
fn write(args: &Args) -> Result<(Config, u64), SynthError> {
    let config = shape::config(args)?;
    if args.out.exists() {
        return Err(SynthError::Exists);
    }
    let plan = plan(&config, args.kind);
    let needed = plan.iter().map(|tensor| u128::from(tensor.bytes())).sum();
    room::check(needed, whole_file::folder(&args.out))?;
    let mut unfinished = whole_file::begin(&args.out)?;
    let file = unfinished.file();
    let header_length = file::write_header(file, &config, args, &plan)?;
    file::write_tensors(file, header_length, args, &plan)?;
    file.sync_all()?;
    check(&unfinished.path()).map_err(SynthError::Wrong)?;
    let file = unfinished.finish(&args.out).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => SynthError::Exists,
        _ => SynthError::Io(error),
    })?;
    Ok((config, file.metadata()?.len()))
}

fn check(path: &Path) -> Result<(), Error> {
    Config::from_gguf(&Gguf::open(path)?)?;
    Ok(())
}
