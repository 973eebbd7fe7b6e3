use std::io::{self, Write};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

/// So many lines may wait for whoever reads standard error.
const LINES: usize = 1024;

static LOST: AtomicU64 = AtomicU64::new(0);

/// A pipe that nobody reads is full one day, and whoever writes to it waits: this thread, and no other.
static WRITER: LazyLock<SyncSender<String>> = LazyLock::new(|| {
    let (sender, lines) = sync_channel::<String>(LINES);
    thread::spawn(move || {
        for line in lines {
            // Not `eprintln!`, which panics when standard error is closed.
            let _ = writeln!(io::stderr(), "{line}");
            let lost = LOST.swap(0, Relaxed);
            if lost > 0 {
                let _ = writeln!(io::stderr(), "{lost} lines are lost: nobody read the others");
            }
        }
    });
    sender
});

/// A line on standard error, soon. If too many wait there, it's lost, and counted.
pub fn line(text: String) {
    if WRITER.try_send(text).is_err() {
        LOST.fetch_add(1, Relaxed);
    }
}
