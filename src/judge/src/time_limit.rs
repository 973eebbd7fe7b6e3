//! Running a program that may never end: the reader's, with a loop that is not right yet, or one that waits for what never
//! comes.

use std::fs;
use std::io::{self, Read};
use std::net::TcpStream;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use catalog::children;

/// For one run of an engine that the suite asks something. A right one takes a second or two on two cores, so this leaves
/// room for a laptop that is thirty times as slow.
pub const RUN: Duration = Duration::from_secs(60);

/// For one test of a part.
pub const TEST: Duration = Duration::from_secs(180);

/// How long a client of ours waits for a server's next byte.
pub const PATIENCE: Duration = Duration::from_secs(15);

/// So often it is looked at.
const LOOK: Duration = Duration::from_millis(if cfg!(test) { 200 } else { 1000 });

/// A program that has not worked for so long, nor what it has started, waits for what never comes.
const IDLE: Duration = Duration::from_secs(if cfg!(test) { 2 } else { 12 });

/// What a program printed, and how it ended.
pub struct Ran {
    /// Or else it had not ended, was stopped, and this is why.
    pub status: Result<ExitStatus, String>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// Runs the program until its end or the limit, or until it is clear that there will be no end.
pub fn run_within(command: &mut Command, limit: Duration) -> io::Result<Ran> {
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = children::join(command).spawn()?;
    let mut watch = Watch::of(child.id(), limit);
    // Both at once: a program waits when one of its pipes is full.
    let (stdout, stderr) = (read(child.stdout.take()), read(child.stderr.take()));
    let (stdout, stderr) = (until(&stdout, &mut watch), until(&stderr, &mut watch));
    if watch.over.is_some() {
        child.kill()?;
    }
    let status = child.wait()?;
    Ok(Ran { status: watch.over.map_or(Ok(status), Err), stdout, stderr })
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

/// All of it, or what had come when the watch was over.
fn until(pieces: &mpsc::Receiver<Vec<u8>>, watch: &mut Watch) -> Vec<u8> {
    let mut text = Vec::new();
    while !watch.is_over() {
        match pieces.recv_timeout(LOOK / 2) {
            Ok(mut piece) => text.append(&mut piece),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
    text
}

/// Whether a process will have an end. The clock alone can't tell: on a busy machine a right program takes long as well.
struct Watch {
    process: u32,
    limit: Duration,
    /// Of work, which on a quiet machine is reached sooner.
    work_limit: Duration,
    start: Instant,
    looked: Instant,
    work: Option<Duration>,
    worked: Instant,
    /// Why it was stopped.
    over: Option<String>,
}

impl Watch {
    fn of(process: u32, limit: Duration) -> Watch {
        let start = Instant::now();
        let (looked, worked) = (start, start);
        // Somebody sits in front of `check` and waits.
        let work_limit = if children::are_together() { limit / 3 } else { limit };
        Watch { process, limit, work_limit, start, looked, work: None, worked, over: None }
    }

    fn is_over(&mut self) -> bool {
        let now = Instant::now();
        if now - self.looked > LOOK {
            self.looked = now;
            let work = work(self.process);
            if work.is_none() || work != self.work {
                (self.work, self.worked) = (work, now);
            }
        }
        let seconds = (now - self.start).as_secs();
        if now - self.worked > IDLE {
            self.over = Some(no_answer(seconds));
        } else if now - self.start > self.limit || self.work > Some(self.work_limit) {
            let why = "a loop that does not end, or a program that is very slow";
            self.over = Some(format!("no end after {seconds} s: {why}"));
        }
        self.over.is_some()
    }
}

/// How long a process and those that it has started have worked. None: the system doesn't say it in this way.
fn work(process: u32) -> Option<Duration> {
    // After its name, which may be anything, the third is the parent, and from the 14th on there are hundredths of a second.
    let parse = |stat: String| -> Option<(u32, u64)> {
        let numbers: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
        let work = numbers.get(11..15)?.iter().map(|ticks| ticks.parse::<u64>().ok());
        Some((numbers[1].parse().ok()?, work.sum::<Option<u64>>()?))
    };
    let own = parse(fs::read_to_string(format!("/proc/{process}/stat")).ok()?)?.1;
    let all = fs::read_dir("/proc").ok()?.flatten();
    let all = all.filter_map(|one| parse(fs::read_to_string(one.path().join("stat")).ok()?));
    let children = all.filter(|(parent, _)| *parent == process).map(|(_, work)| work);
    Some(Duration::from_millis(10 * (own + children.sum::<u64>())))
}

fn no_answer(seconds: u64) -> String {
    format!(
        "no answer after {seconds} s: does somebody still hold the channel's sender, or is nobody woken?"
    )
}

/// A connection whose reader is told in words that no answer came.
pub struct Patient(pub TcpStream);

impl Patient {
    pub fn new(stream: TcpStream) -> io::Result<Patient> {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(Patient(stream))
    }
}

impl Read for Patient {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let waits = |error: &io::Error| {
            matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
        };
        self.0.read(bytes).map_err(|error| match waits(&error) {
            true => {
                let seconds = self.0.read_timeout().ok().flatten().unwrap_or(PATIENCE);
                io::Error::new(io::ErrorKind::TimedOut, no_answer(seconds.as_secs()))
            }
            false => error,
        })
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
        let ran = shell("echo begun; exec sleep 600", Duration::from_secs(1));
        let why = ran.status.expect_err("it was stopped");
        assert!(why.starts_with("no end after 1 s"), "{why}");
        assert_eq!(ran.stdout, b"begun\n");
        assert!(start.elapsed() < Duration::from_secs(100));
    }

    #[test]
    fn what_a_program_prints_is_whole_on_both_sides() {
        // More than a pipe holds.
        let script = "head -c 300000 /dev/zero; head -c 200000 /dev/zero >&2; exit 3";
        let ran = shell(script, RUN);
        assert_eq!((ran.stdout.len(), ran.stderr.len()), (300_000, 200_000));
        assert_eq!(ran.status.ok().and_then(|status| status.code()), Some(3));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn who_waits_is_told_from_who_works() {
        let ran = shell("sleep 30 & wait", RUN);
        let why = ran.status.expect_err("it was stopped");
        assert!(why.contains("is nobody woken?"), "{why}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_a_program_has_started_may_work_instead_of_it() {
        // As long as that one is there.
        let script = "(while kill -0 $$; do :; done) 2>/dev/null & wait";
        let ran = shell(script, Duration::from_secs(3));
        let why = ran.status.expect_err("it was stopped");
        assert!(why.contains("a loop that does not end"), "{why}");
    }
}
