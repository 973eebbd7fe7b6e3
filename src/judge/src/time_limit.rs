//! Running a program that may never end: the reader's, with a loop that is not right yet.

use std::io::{self, Read};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// For one run of an engine that the suite asks something. A right one takes a second or two on two cores, so this leaves
/// room for a laptop that is thirty times as slow.
pub const RUN: Duration = Duration::from_secs(60);

/// For all tests of a part. Right ones take up to 40 seconds on two cores. It is more than twice the minute after which a
/// test program names a test that is still running, so that a test which begins late is named as well.
pub const PART: Duration = Duration::from_secs(180);

/// What a program printed, and how it ended.
pub struct Ran {
    /// None: it had not ended at the limit, and was stopped.
    pub status: Option<ExitStatus>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// Runs the program until its end or the limit.
pub fn run_within(command: &mut Command, limit: Duration) -> io::Result<Ran> {
    let end = Instant::now() + limit;
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    // Both at once: a program waits when one of its pipes is full.
    let (stdout, stderr) = (read(child.stdout.take()), read(child.stderr.take()));
    let (stdout, stderr) = (until(&stdout, end), until(&stderr, end));
    if stdout.is_err() || stderr.is_err() {
        child.kill()?;
    }
    let status = child.wait()?;
    let whole = stdout.is_ok() && stderr.is_ok();
    let text = |read: Result<Vec<u8>, Vec<u8>>| read.unwrap_or_else(|part| part);
    Ok(Ran { status: whole.then_some(status), stdout: text(stdout), stderr: text(stderr) })
}

/// What comes through a pipe, piece by piece.
fn read(pipe: Option<impl Read + Send + 'static>) -> mpsc::Receiver<Vec<u8>> {
    let (pieces, text) = mpsc::channel();
    thread::spawn(move || {
        let Some(mut pipe) = pipe else { return };
        let mut piece = vec![0; 1 << 16];
        loop {
            match pipe.read(&mut piece) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) | Err(_) => return,
                // After the limit there is no one to send it to.
                Ok(count) if pieces.send(piece[..count].to_vec()).is_err() => return,
                Ok(_) => {}
            }
        }
    });
    text
}

/// All of it, or as an error what had come by then.
fn until(pieces: &mpsc::Receiver<Vec<u8>>, end: Instant) -> Result<Vec<u8>, Vec<u8>> {
    let mut text = Vec::new();
    loop {
        match pieces.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(mut piece) => text.append(&mut piece),
            Err(RecvTimeoutError::Disconnected) => return Ok(text),
            Err(RecvTimeoutError::Timeout) => return Err(text),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Ran {
        run_within(Command::new("sh").args(["-c", script]), limit).expect("a shell")
    }

    #[test]
    fn a_program_that_does_not_end_is_stopped_and_what_it_printed_is_kept() {
        let start = Instant::now();
        let ran = shell("echo begun; exec sleep 600", Duration::from_secs(2));
        assert!(ran.status.is_none());
        assert_eq!(ran.stdout, b"begun\n");
        assert!(start.elapsed() < Duration::from_secs(100));
    }

    #[test]
    fn what_a_program_prints_is_whole_on_both_sides() {
        // More than a pipe holds.
        let script = "head -c 300000 /dev/zero; head -c 200000 /dev/zero >&2; exit 3";
        let ran = shell(script, RUN);
        assert_eq!((ran.stdout.len(), ran.stderr.len()), (300_000, 200_000));
        assert_eq!(ran.status.and_then(|status| status.code()), Some(3));
    }
}
