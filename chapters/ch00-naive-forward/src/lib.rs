//! Chapter 0: a Qwen3 forward pass and generation loop that is obviously correct.

pub mod attention;
pub mod generate;
pub mod matmul;
pub mod mlp;
pub mod model;
pub mod norm;
pub mod rope;
pub mod softmax;
pub mod weights;

use std::ffi::OsString;

use clap::Parser;
use ground::cli::CommonArgs;
use ground::config::Config;
use ground::error::Error;
use ground::tokenizer::Tokenizer;

use crate::generate::generate;
use crate::model::Model;

/// Continues a text with a Qwen3 model, the plain and slow way: every token recomputes the whole past.
#[derive(Parser)]
#[command(version)]
struct Args {
    #[command(flatten)]
    common: CommonArgs,
}

pub fn run(arguments: Vec<OsString>) -> Result<(), Error> {
    let args = Args::try_parse_from(arguments)?;
    let file = args.common.open_model()?;
    let tokenizer = Tokenizer::from_gguf(&file)?;
    let config = Config::from_gguf(&file)?;
    let request = args.common.request(&file, &config, &tokenizer)?;
    let model = Model::load(&file)?;

    args.common.begin()?;
    let forward = |ids: &[u32]| Ok(model.forward(ids));
    let generation = generate(&request, &tokenizer, forward, |text| args.common.print(text))?;
    args.common.report(&generation, None)
}
