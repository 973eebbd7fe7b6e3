use std::io::{self, IsTerminal};

use ground::error::Error;
use ground::tokenizer::Tokenizer;
use tracing::{Level, enabled, info};

use crate::recorder::{Recorder, milliseconds};
use crate::softmax::softmax;

/// From now on one line per generated token goes to standard error.
pub fn log_to_standard_error() {
    let subscriber = tracing_subscriber::fmt()
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .with_target(false)
        .log_internal_errors(false); // a closed standard error is no reason to end
    // A second call keeps the first subscriber: a test may start several runs in one process.
    let _ = subscriber.try_init();
}

/// Tells the listeners that the pass which was recorded last led to token `id`.
pub fn step(
    recorder: &Recorder,
    id: u32,
    logits: &[f32],
    tokenizer: &Tokenizer,
) -> Result<(), Error> {
    // The probability takes an exponential for every token of the vocabulary: only if someone reads it.
    let Some(forward) = recorder.forwards.last().filter(|_| enabled!(Level::INFO)) else {
        return Ok(());
    };
    let mut probabilities = logits.to_vec();
    softmax(&mut probabilities);
    info!(
        step = recorder.forwards.len(),
        token_id = id,
        probability = probabilities[id as usize],
        text = tokenizer.token_text(id)?,
        phase = ?forward.phase,
        ms = milliseconds(forward.time),
    );
    Ok(())
}
