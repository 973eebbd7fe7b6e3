//! A check in a process of its own. An answer may do what no program can catch from inside: read where it must not,
//! call itself without an end, turn in a loop for ever. Then that process ends, and this one tells the reader about it.

use std::env;
use std::fmt::{self, Debug};
use std::io::{self, Read};
use std::process::{self, Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::{Checked, Exercise, Failure, Report};

/// Set for the process of a check. A reader who wants to step through an answer with a debugger sets it too.
const INSIDE: &str = "EXERCISE_INSIDE";

/// Sets how long a check may take, in seconds.
const SECONDS: &str = "EXERCISE_SECONDS";
const USUAL_SECONDS: u64 = 60;

const TICK: Duration = Duration::from_millis(20);

/// What comes between the words of the answer and those of the check.
const REPORT: &str = "\n--- the check's report ---\n";

/// What a test that returns an error shows.
pub struct Told(String);

impl Debug for Told {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// Why a process ends that reads or writes memory which is not there.
pub const OUTSIDE: &str = "an unsafe block read or wrote where it must not: an address, its alignment, or the end of a slice";

impl Exercise {
    /// `run`, in a process of its own: this test once more, which the caller names with its path.
    pub fn test(
        &'static self,
        test: &str,
        check: impl FnOnce() -> Checked,
    ) -> Result<(), Told> {
        // The first part of the path is the crate.
        let test = test.split_once("::").map_or(test, |(_, test)| test);
        if env::var_os(INSIDE).is_some() {
            let report =
                self.run(check).err().map_or(String::new(), |report| report.to_string());
            print!("{REPORT}{report}");
            process::exit(i32::from(!report.is_empty()));
        }
        let case = "the check as a whole";
        match in_a_process(test) {
            Ok(ended) => self.judge(&ended),
            // No program can be started here, so that nothing is known about the answer.
            Err(error) => Err(self.told(Failure::new(case, "a process for it", error))),
        }
    }

    fn told(&'static self, failure: Failure) -> Told {
        Told(Report { exercise: self, failure }.to_string())
    }

    fn judge(&'static self, ended: &Ended) -> Result<(), Told> {
        let own = ended.out.split_once("running 1 test\n").map_or(&*ended.out, |(_, own)| own);
        let (printed, report) = match own.rsplit_once(REPORT) {
            Some((printed, report)) => (printed, Some(report)),
            None => (own, None),
        };
        // The test shows them if it fails.
        print!("{printed}");
        eprint!("{}", ended.error);
        match (report, ended.status) {
            (Some(""), Some(status)) if status.success() => Ok(()),
            (Some(report), Some(_)) if !report.is_empty() => Err(Told(report.to_string())),
            _ => Err(self.told(ended.failure())),
        }
    }
}

fn in_a_process(test: &str) -> io::Result<Ended> {
    let mut child = Command::new(env::current_exe()?)
        .args([test, "--exact", "--nocapture", "--quiet"])
        .env(INSIDE, "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let (out, error) = (gathered(child.stdout.take()), gathered(child.stderr.take()));
    let seconds = env::var(SECONDS).ok().and_then(|text| text.parse().ok());
    let seconds = seconds.unwrap_or(USUAL_SECONDS);
    let status = wait(&mut child, seconds)?;
    let text = |thread: JoinHandle<Vec<u8>>| {
        String::from_utf8_lossy(&thread.join().unwrap_or_default()).into_owned()
    };
    Ok(Ended { status, seconds, out: text(out), error: text(error) })
}

/// How the process of a check ended.
struct Ended {
    /// `None`: it had to be stopped.
    status: Option<ExitStatus>,
    seconds: u64,
    out: String,
    error: String,
}

impl Ended {
    fn failure(&self) -> Failure {
        let case = "the check as a whole";
        let Some(status) = self.status else {
            let found = format!("it still ran after {} s, and was stopped", self.seconds);
            return Failure::new(case, "an end", found)
                .likely("a loop without an end, or a thread that waits for ever");
        };
        let status = status.to_string();
        let failure =
            Failure::new(case, "an end of its own", format!("its process ended: {status}"));
        // On Windows a status is a number.
        let is = |names: &[&str]| names.iter().any(|name| status.contains(name));
        if self.error.contains("has overflowed its stack") {
            failure.likely("a function calls itself without an end, or an array is too large for the stack")
        } else if self.error.contains("memory allocation of") {
            failure.likely(
                "it asked for more memory than there is: look at a capacity or a length",
            )
        } else if is(&["SIGSEGV", "SIGBUS", "0xc0000005"]) {
            failure.likely(OUTSIDE)
        } else if is(&["SIGILL", "0xc000001d"]) {
            failure
                .likely("an instruction that this CPU does not have: ask for the feature first")
        } else if is(&["SIGKILL"]) {
            failure.likely(
                "the system stopped it, as it does with a program that takes all memory",
            )
        } else if is(&["exit status: ", "exit code: "]) {
            failure.likely("the answer ended the program; it should return")
        } else {
            failure
        }
    }
}

/// `None` when the time was over. It is counted in short sleeps: a minute in which the whole machine stands still is one.
fn wait(child: &mut Child, seconds: u64) -> io::Result<Option<ExitStatus>> {
    let ticks = seconds.saturating_mul(1000) / TICK.as_millis() as u64;
    for _ in 0..ticks {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        thread::sleep(TICK);
    }
    child.kill()?;
    child.wait()?;
    Ok(None)
}

/// What came out of a pipe last, read while the process runs: a full pipe would stop it. A loop that prints without an end
/// must not fill the memory.
fn gathered(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    const KEPT: usize = 1 << 16;
    thread::spawn(move || {
        let (mut bytes, mut part) = (Vec::new(), vec![0; 1 << 16]);
        let Some(mut pipe) = pipe else { return bytes };
        loop {
            match pipe.read(&mut part) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                // What came before an error is worth showing.
                Ok(0) | Err(_) => return bytes,
                Ok(length) => bytes.extend_from_slice(&part[..length]),
            }
            if bytes.len() > 2 * KEPT {
                bytes.drain(..bytes.len() - KEPT);
            }
        }
    })
}
