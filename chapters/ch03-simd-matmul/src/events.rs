use std::io;

use tracing::{Level, enabled, info};

use crate::metrics::milliseconds;
use crate::recorder::Forward;
use crate::softmax::softmax;

/// From now on one line per generated token goes to standard error.
pub fn log_to_standard_error() {
    let subscriber = tracing_subscriber::fmt().with_writer(io::stderr).with_target(false);
    // A second call keeps the first subscriber: a test may start several runs in one process.
    let _ = subscriber.try_init();
}

/// Tells whoever listens that a token was chosen.
pub fn step(step: usize, id: u32, logits: &[f32], text: &str, forward: &Forward) {
    // The probability takes an exponential for every token of the vocabulary: only if someone reads it.
    if !enabled!(Level::INFO) {
        return;
    }
    let mut probabilities = logits.to_vec();
    softmax(&mut probabilities);
    info!(
        step,
        token_id = id,
        probability = probabilities[id as usize],
        text,
        phase = ?forward.phase,
        ms = milliseconds(forward.time),
    );
}
