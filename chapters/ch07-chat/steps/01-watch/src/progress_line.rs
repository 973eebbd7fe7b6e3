use std::env;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use crate::run_progress::RunProgress;

/// Shows how far a prompt is, as soon as that takes longer than a second: to people only.
pub struct ProgressLine {
    pub far: RunProgress, // what it was told last
    started: Instant,     // when the last prompt was done, or the first began
    next: Duration,       // not before this, since the start
    shown: bool,
}

/// A line that only flashes up would be worse than none.
const FIRST: Duration = Duration::from_secs(1);

/// Before and after a line of its own below the text; the cursor goes back to where the text ended.
/// Down and up again first, so that there's a line below even at the end of the screen.
const BELOW: &str = "\x1bD\x1b[A\x1b7\r\n";
const BACK: &str = "\x1b[K\x1b8";

impl ProgressLine {
    pub fn start() -> ProgressLine {
        let (far, started) = (RunProgress::default(), Instant::now());
        ProgressLine { far, started, next: FIRST, shown: false }
    }

    pub fn show(&mut self, far: RunProgress) {
        self.far = far;
        let RunProgress { done, all, new } = far;
        if new > 0 || done == all {
            self.hide();
            (self.started, self.next) = (Instant::now(), FIRST);
            return;
        }
        let time = self.started.elapsed();
        if time < self.next || done == 0 || !io::stderr().is_terminal() || is_dumb() {
            return;
        }
        self.next = time + Duration::from_millis(100);
        self.shown = true;
        draw(&line(done, all, time));
    }

    fn hide(&mut self) {
        if self.shown {
            draw("");
        }
        self.shown = false;
    }
}

/// The line goes away with the value, also when the work ended with an error.
impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.hide();
    }
}

/// Whether the terminal can only print: TERM is `dumb`, empty or not set. (Windows never sets it.)
fn is_dumb() -> bool {
    env::var("TERM").map_or(cfg!(unix), |term| term.is_empty() || term == "dumb")
}

/// In one write, so that nothing gets in between. If the line can't be shown, that's no reason to stop.
fn draw(line: &str) {
    let _ = io::stderr().write_all(format!("{BELOW}{line}{BACK}").as_bytes());
}

/// Short enough for any terminal.
pub fn line(done: usize, all: usize, time: Duration) -> String {
    let speed = done as f64 / time.as_secs_f64();
    let left = (all - done) as f64 / speed;
    format!("{done} of {all} tokens, {speed:.1} tok/s, {left:.0} s left")
}
