use std::sync::atomic::{AtomicBool, Ordering};

use ground::cli::interrupted;
use ground::error::Error;

use crate::run_progress::RunProgress;

static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C asks the run to end. A second one ends the program at once.
pub fn listen() {
    ASKED.store(false, Ordering::Relaxed);
    // A second call finds the handler of the first. If there can't be one, Ctrl-C does what it always did.
    let _ = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::Relaxed) {
            interrupted();
        }
    });
}

/// Whether Ctrl-C has been pressed since.
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// What the program reports when Ctrl-C has ended its run. What was printed so far stays.
pub fn stopped(far: RunProgress) -> Error {
    let RunProgress { done, all, new } = far;
    Error::Interrupted(match new {
        0 => format!("stopped by Ctrl-C: {done} of {all} tokens of the prompt were read"),
        1 => "stopped by Ctrl-C: the reply has 1 token".into(),
        _ => format!("stopped by Ctrl-C: the reply has {new} tokens"),
    })
}
