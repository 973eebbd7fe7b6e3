//! A progress bar, shown only to people and only when there is something to wait for.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// A bar on standard error. It stays hidden for the first half second, and altogether if
/// standard error is not a terminal.
pub struct Bar {
    bar: ProgressBar,
    style: ProgressStyle,
    started: Instant,
    shown: bool,
    done: u64,
}

impl Bar {
    /// Begins `what`, of `total` steps: layers, tensors, bytes.
    pub fn new(what: &'static str, total: u64) -> Bar {
        let style = ProgressStyle::with_template("{msg} [{bar:30}] {percent}%")
            .unwrap_or(ProgressStyle::default_bar());
        let bar = ProgressBar::hidden();
        bar.set_length(total);
        bar.set_message(what);
        Bar { bar, style, started: Instant::now(), shown: false, done: 0 }
    }

    /// `steps` more are done.
    pub fn advance(&mut self, steps: u64) {
        self.done += steps;
        debug_assert!(
            Some(self.done) <= self.bar.length(),
            "more steps than the bar was told of"
        );
        if !self.shown && self.started.elapsed() > Duration::from_millis(500) {
            self.shown = true;
            self.bar.set_style(self.style.clone());
            // It looks itself whether this is a terminal.
            self.bar.set_draw_target(indicatif::ProgressDrawTarget::stderr());
        }
        self.bar.set_position(self.done);
    }
}

/// The bar goes away with the value, also when the work ended with an error.
impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
