//! The tools beside the book: `cargo run -- --help` lists them.

use std::ffi::OsString;
use std::process::ExitCode;

use bench::{inspect, load, plot, sweep, synth};
use clap::{Parser, Subcommand};
use coach::{check, download, exercise, measure, progress, start, take, verify};
use ground::error::Error;

/// Tools of One Diff at a Time.
#[derive(Parser)]
#[command(name = "course", version)]
struct Args {
    #[command(subcommand)]
    tool: Tool,
}

#[derive(Subcommand)]
enum Tool {
    /// Show what a GGUF file holds: metadata, the model's numbers, every tensor
    Inspect(inspect::Args),
    /// Fetch a real model into models/, prove that it is the right one, and say the command to run it
    ///
    /// If it is cut off, the same command continues it. HF_ENDPOINT names another hub, HF_TOKEN your token for it, and
    /// the usual variables a proxy.
    Download(download::Args),
    /// Test what must be true of a real model, with every chapter, and print how it went as a block of text to post
    Verify(verify::Args),
    /// Write a Qwen3 file of any shape with random weights, to measure speed without a download
    Synth(synth::Args),
    /// Measure chapters over prompt lengths and depths: medians with their spread
    Sweep(sweep::Args),
    /// Draw what a sweep measured as an SVG
    Plot(plot::Args),
    /// Ask a server from many clients at once, and say how long each of them waits
    ///
    /// Any server with OpenAI's /v1/completions: chapter 9's, llama-server, vLLM. Each client asks for a stream, reads it to
    /// its end, and asks again, or requests begin at a --rate. "ignore_eos" makes all answers equally long where the server
    /// knows that; if it refuses it, take --no-ignore-eos.
    Load(load::Args),
    /// Make a folder of your own to type a chapter along in
    ///
    /// my/CHAPTER is the chapter before under the new name. For ch00 it is a Cargo.toml and a library of one line.
    Start(start::Args),
    /// Say where your chapter first differs from the course's
    ///
    /// Builds my/CHAPTER, runs it on the judge's prompts, and compares tokens and logits with the judge's, then
    /// bits and figures with the course's own chapter, as that is at the end of the page that you are on. With --part only what has been typed of one part is needed.
    Check(check::Args),
    /// Type a side room's code into your chapter, so that you can leave its page out: `take ch04/panics`
    ///
    /// Says which files it changed. What was there is kept, and comes back with --undo.
    Take(take::Args),
    /// How fast your chapter is as it stands, beside the book's recording of each step
    ///
    /// Writes a model of moderate size once, and runs your program in turn with the chapter before: ten seconds or so.
    Measure(measure::Args),
    /// Exercises and chapters: green, red, changed or unstarted, and what is next
    ///
    /// If an exercise does not compile, this shows the compiler's message and tests the others all the same.
    Progress(progress::Args),
    /// Test an exercise each time you save its file, and go on to the next one when it is right
    ///
    /// Leave it running beside your editor. It tests the file that you save, whichever that is. h and Enter shows a
    /// hint, s and Enter a solution. Ctrl-C ends it.
    Watch(exercise::WatchArgs),
    /// A hint for an exercise: there are three, and each says more
    Hint(exercise::HintArgs),
    /// A solution of an exercise, and why it is right
    Solution(exercise::Args),
    /// Give an exercise back as it was
    ///
    /// What you have written is kept: in my/exercises, under the name of the exercise and a number.
    Reset(exercise::Args),
    /// Type a page of the book into my/CHAPTER, for tests/faults/run.py
    #[command(hide = true)]
    TypePage(start::TypeArgs),
}

fn main() -> ExitCode {
    ground::cli::main(run)
}

fn run(args: Vec<OsString>) -> Result<(), Error> {
    match Args::try_parse_from(args)?.tool {
        Tool::Inspect(args) => inspect::run(&args),
        Tool::Download(args) => download::run(&args),
        Tool::Verify(args) => verify::run(&args),
        Tool::Synth(args) => synth::run(&args),
        Tool::Sweep(args) => sweep::run(&args),
        Tool::Plot(args) => plot::run(&args),
        Tool::Load(args) => load::run(&args),
        Tool::Start(args) => start::run(&args),
        Tool::Check(args) => check::run(&args),
        Tool::Take(args) => take::run(&args),
        Tool::Progress(args) => progress::run(&args),
        Tool::Measure(args) => measure::run(&args),
        Tool::Watch(args) => exercise::watch(&args),
        Tool::Hint(args) => exercise::hint(&args),
        Tool::Solution(args) => exercise::solution(&args),
        Tool::Reset(args) => exercise::reset(&args),
        Tool::TypePage(args) => start::type_page(&args),
    }
}
