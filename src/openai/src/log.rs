//! What the server says on standard error.

use std::io::{self, Write};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::time::SystemTime;

use serde_json::{Value, json};

/// So many lines may wait for whoever reads standard error.
const LINES: usize = 1024;

static LOST: AtomicU64 = AtomicU64::new(0);

static IS_JSON: AtomicBool = AtomicBool::new(false);

/// A pipe that nobody reads is full one day, and whoever writes to it waits: this thread, and no other.
static WRITER: LazyLock<SyncSender<String>> = LazyLock::new(|| {
    let (sender, lines) = sync_channel::<String>(LINES);
    thread::spawn(move || {
        for line in lines {
            // Not `eprintln!`, which panics when standard error is closed.
            let _ = writeln!(io::stderr(), "{line}");
            let lost = LOST.swap(0, Relaxed);
            if lost > 0 {
                let lost = format!("{lost} lines are lost: nobody read the others");
                let _ = writeln!(io::stderr(), "{}", formed(lost, Value::Null));
            }
        }
    });
    sender
});

/// From now on each line is an object, for programs that read logs.
pub fn set_json(is_json: bool) {
    IS_JSON.store(is_json, Relaxed);
}

/// A line on standard error, soon. If too many wait there, it's lost, and counted.
pub fn line(text: String) {
    send(text, Value::Null);
}

/// The line of one request.
pub fn request(method: &str, path: &str, status: u16, ms: u64, id: &str) {
    let fields =
        json!({ "method": method, "path": path, "status": status, "ms": ms, "request_id": id });
    send(format!("{method} {path} {status} {ms} ms {id}"), fields);
}

fn send(text: String, fields: Value) {
    if WRITER.try_send(formed(text, fields)).is_err() {
        LOST.fetch_add(1, Relaxed);
    }
}

fn formed(text: String, mut fields: Value) -> String {
    if !IS_JSON.load(Relaxed) {
        return text;
    }
    if fields.is_null() {
        fields = json!({ "message": text });
    }
    let time = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    fields["time"] = time.as_secs_f64().into();
    fields.to_string()
}
