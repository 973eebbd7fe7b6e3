use std::sync::atomic::{AtomicBool, Ordering};

use ground::cli::interrupted;
use ground::error::Error;

static ASKED: AtomicBool = AtomicBool::new(false);

/// Why a run ended early, and how far it was. What was printed until then stays.
#[derive(Debug, thiserror::Error)]
pub enum Stopped {
    #[error("stopped by Ctrl-C: {done} of {all} tokens of the prompt were read")]
    Prompt { done: usize, all: usize },
    #[error("stopped by Ctrl-C: the reply has {new} token{}", if *new == 1 { "" } else { "s" })]
    Reply { new: usize },
}

/// From now on Ctrl-C asks the run to end.
pub fn listen() {
    clear();
    // The second call finds the handler of the first. Where there can be none, Ctrl-C does what it always did.
    let _ = ctrlc::set_handler(on_ctrl_c);
}

/// A second one before the run has ended ends the program at once.
pub fn on_ctrl_c() {
    if ASKED.swap(true, Ordering::Relaxed) {
        interrupted();
    }
}

/// The run has ended; what comes next shall not end with it.
pub fn clear() {
    ASKED.store(false, Ordering::Relaxed);
}

/// Whether Ctrl-C came since then.
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// An error if the run shall end.
pub fn check(so_far: impl FnOnce() -> Stopped) -> Result<(), Error> {
    if asked() { Err(Error::chapter(so_far())) } else { Ok(()) }
}
