//! What a tool starts ends with the tool, however that one ends: at its last line, by Ctrl-C, by a signal that nobody catches.

use std::io;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicI32, Ordering};

/// The process group of all that is started from now on. 0: there's none.
static GROUP: AtomicI32 = AtomicI32::new(0);

/// While it lives, what is started ends with it. It leads the group, and waits for nothing but the end of a pipe that only
/// this program holds.
pub struct Together(Option<Child>);

impl Together {
    /// Only Unix has groups. Elsewhere what was started ends by itself, or at the limit of its time.
    pub fn begin() -> io::Result<Together> {
        if !cfg!(unix) {
            return Ok(Together(None));
        }
        let mut leader = Command::new("sh");
        leader.args(["-c", "read -r _; kill -9 0"]).stdin(Stdio::piped());
        into(&mut leader, 0);
        let leader = leader.spawn()?;
        GROUP.store(leader.id() as i32, Ordering::Relaxed);
        Ok(Together(Some(leader)))
    }
}

impl Drop for Together {
    fn drop(&mut self) {
        if let Some(mut leader) = self.0.take() {
            drop(leader.stdin.take());
            let _ = leader.wait();
        }
    }
}

/// Whether what is started ends with this program.
pub fn are_together() -> bool {
    GROUP.load(Ordering::Relaxed) != 0
}

/// Has this started in the group, if there is one. After the group's end nothing starts in it any more.
pub fn join(command: &mut Command) -> &mut Command {
    match GROUP.load(Ordering::Relaxed) {
        0 => command,
        group => into(command, group),
    }
}

#[cfg(unix)]
fn into(command: &mut Command, group: i32) -> &mut Command {
    std::os::unix::process::CommandExt::process_group(command, group)
}

#[cfg(not(unix))]
fn into(command: &mut Command, _: i32) -> &mut Command {
    command
}
