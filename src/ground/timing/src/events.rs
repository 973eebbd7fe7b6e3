//! One line for each token, for whoever listens.

use std::io::{self, IsTerminal};

use ground::error::Error;
use ground::tokenizer::Tokenizer;
use tracing::{Level, enabled, info};

use crate::forward::{Forward, milliseconds};

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

/// Tells the listeners that the last of these passes led to token `id`.
pub fn step(
    forwards: &[Forward],
    id: u32,
    logits: &[f32],
    tokenizer: &Tokenizer,
) -> Result<(), Error> {
    // The probability takes an exponential for every token of the vocabulary: only if someone reads it.
    let Some(forward) = forwards.last().filter(|_| enabled!(Level::INFO)) else {
        return Ok(());
    };
    let best = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weight = |logit: f32| libm::expf(logit - best);
    let sum: f32 = logits.iter().copied().map(weight).sum();
    info!(
        step = forwards.len(),
        token_id = id,
        probability = weight(logits[id as usize]) / sum,
        text = tokenizer.token_text(id)?,
        phase = ?forward.phase,
        ms = milliseconds(forward.time),
    );
    Ok(())
}

/// Tells the listeners how the reply ended.
pub fn ended(ended: &'static str) {
    info!(ended);
}
