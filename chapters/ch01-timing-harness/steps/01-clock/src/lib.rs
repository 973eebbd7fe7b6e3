//! Chapter 1: the same engine, and an instrument that shows what every token costs.

pub mod attention;
pub mod generate;
pub mod matmul;
pub mod mlp;
pub mod model;
pub mod norm;
pub mod recorder;
pub mod rope;
pub mod softmax;
pub mod weights;

pub use timing::events;

use std::ffi::OsString;

use clap::Parser;
use ground::cli::CommonArgs;
use ground::config::Config;
use ground::error::Error;
use ground::tokenizer::Tokenizer;

use crate::generate::generate;
use crate::model::Model;
use crate::recorder::{Recorder, system_clock};

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
    let model = Model::load(&file, config)?;

    let output = args.common.begin()?;
    let clock = system_clock();
    let mut recorder = Recorder::new(&clock);
    let forward = |ids: &[u32]| Ok(model.forward(ids));
    let print = |text: &str| output.print(text);
    let generation = generate(&request, &tokenizer, &mut recorder, forward, print)?;
    output.end(&generation, None)?;
    for pass in &recorder.forwards {
        eprintln!("{:?} of {} tokens: {:.1?}", pass.phase, pass.tokens, pass.time);
    }
    Ok(())
}
