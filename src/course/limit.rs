//! Running a program that may never end: the reader's, with a loop that is not right yet.

use std::io::{self, Read};
use std::process::{Command, ExitStatus, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// For one run of an engine that the suite asks something. A right one takes a second or two on two cores.
pub const RUN: Duration = Duration::from_secs(300);

/// For all tests of a part. Right ones take up to 40 seconds on two cores.
pub const PART: Duration = Duration::from_secs(1200);

/// What the program printed and how it ended; None if it had not ended at the limit, and was stopped.
pub fn output_within(command: &mut Command, limit: Duration) -> io::Result<Option<Output>> {
    let end = Instant::now() + limit;
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    // Both at once: a program waits when one of its pipes is full.
    let stdout = read(child.stdout.take());
    let stderr = read(child.stderr.take());
    let within = |text: mpsc::Receiver<io::Result<Vec<u8>>>| {
        text.recv_timeout(end.saturating_duration_since(Instant::now())).ok()
    };
    let printed = within(stdout).and_then(|stdout| Some((stdout, within(stderr)?)));
    if printed.is_none() {
        child.kill()?;
    }
    let status: ExitStatus = child.wait()?;
    let Some((stdout, stderr)) = printed else { return Ok(None) };
    Ok(Some(Output { status, stdout: stdout?, stderr: stderr? }))
}

fn read(pipe: Option<impl Read + Send + 'static>) -> mpsc::Receiver<io::Result<Vec<u8>>> {
    let (done, text) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = pipe.map_or(Ok(0), |mut pipe| pipe.read_to_end(&mut bytes));
        // After the limit there is no one to send it to.
        let _ = done.send(read.map(|_| bytes));
    });
    text
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Option<Output> {
        output_within(Command::new("sh").args(["-c", script]), limit).expect("a shell")
    }

    #[test]
    fn a_program_that_does_not_end_is_stopped() {
        let start = Instant::now();
        assert!(shell("exec sleep 600", Duration::from_millis(200)).is_none());
        assert!(start.elapsed() < Duration::from_secs(100));
    }

    #[test]
    fn what_a_program_prints_is_whole_on_both_sides() {
        // More than a pipe holds.
        let script = "head -c 300000 /dev/zero; head -c 200000 /dev/zero >&2; exit 3";
        let output = shell(script, RUN).expect("an end");
        assert_eq!((output.stdout.len(), output.stderr.len()), (300_000, 200_000));
        assert_eq!(output.status.code(), Some(3));
    }
}
