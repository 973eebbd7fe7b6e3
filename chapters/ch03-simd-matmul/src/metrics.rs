use std::time::Duration;

use timing::metrics::Metrics;

use crate::recorder::{Phase, Recorder, milliseconds};

/// The figures of a run, from the recorder's notes.
pub fn metrics(recorder: &Recorder, prompt: usize, generated: usize) -> Metrics {
    let passes = recorder.forwards.iter().filter(|forward| forward.phase == Phase::Prefill);
    let prefill = passes.map(|forward| forward.time).sum();
    // The first token belongs to the prefill: n tokens have n - 1 decode steps between them.
    let steps = generated.saturating_sub(1);
    let span = recorder.last_token.zip(recorder.first_token);
    Metrics {
        prompt_tokens: prompt,
        generated_tokens: generated,
        time_to_first_token_ms: recorder.first_token.map(milliseconds),
        prefill_tokens_per_second: rate(prompt, prefill),
        decode_tokens_per_second: span.and_then(|(last, first)| rate(steps, last - first)),
        ..Metrics::of_passes(&recorder.forwards)
    }
}

/// Things per second; `None` without things or without time.
fn rate(count: usize, time: Duration) -> Option<f64> {
    (count > 0 && time > Duration::ZERO).then(|| count as f64 / time.as_secs_f64())
}
