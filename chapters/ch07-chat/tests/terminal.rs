//! The compiled program, as a person meets it: through a terminal of its own. Every test waits for what must
//! appear, however long that takes, and never for a time to pass.

#![cfg(unix)]

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use pty_process::Size;
use pty_process::blocking::{Command, Pty, open};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::tcgetattr;

/// What the editor writes when it begins to read keys.
const READY: &str = "\x1b[?2004h";
const CTRL_C: &str = "\x03";
const CTRL_D: &str = "\x04";
const LEFT: &str = "\x1b[D";
const UP: &str = "\x1b[A";
const BACKSPACE: &str = "\x7f";
const ENTER: &str = "\r";
const FRANCE: &str = "What is the capital of France?";
/// A prompt takes seconds this way, and an answer without an end even more.
const SLOWLY: [&str; 7] =
    ["--backend", "scalar", "--threads", "1", "--prefill-chunk", "1", "--ignore-eos"];
/// Only for a program that hangs.
const TOO_LONG: Duration = Duration::from_secs(300);

/// Somebody at a terminal.
struct Person {
    pty: Pty,
    child: Child,
    before: String, // how the terminal was set
    seen: String,
    read: usize, // bytes of `seen` that a test has waited for
}

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_ch07-chat"))
        .env("TERM", "xterm-256color")
        .env_remove("NO_COLOR")
}

/// A person who sees the first prompt.
fn person(args: &[&str]) -> Person {
    let mut person = Person::start(program().args(args));
    person.wait(READY);
    person
}

impl Person {
    fn start(command: Command) -> Person {
        let (pty, pts) = open().expect("a terminal");
        pty.resize(Size::new(24, 80)).expect("a size");
        let before = settings(&pty);
        let child = command.spawn(pts).expect("the program starts");
        Person { pty, child, before, seen: String::new(), read: 0 }
    }

    /// Waits until `text` appears after what was waited for last, and gives all up to its end.
    fn wait(&mut self, text: &str) -> String {
        let limit = Instant::now() + TOO_LONG;
        loop {
            if let Some(at) = self.seen[self.read..].find(text) {
                let begin = self.read;
                self.read += at + text.len();
                return self.seen[begin..self.read].to_string();
            }
            let more = self.look(Duration::from_secs(1));
            let seen = &self.seen[self.read..];
            assert!(more && Instant::now() < limit, "no {text:?} in {seen:?}");
        }
    }

    /// Takes what is on the screen by now; `false` if there will be no more.
    fn look(&mut self, patience: Duration) -> bool {
        let patience = Timespec::try_from(patience).expect("a short time");
        let mut fds = [PollFd::new(&self.pty, PollFlags::IN)];
        match poll(&mut fds, Some(&patience)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => return true,
            result => result.expect("a terminal can be asked"),
        };
        let mut bytes = [0; 4096];
        match self.pty.read(&mut bytes) {
            Ok(0) => false,
            Ok(n) => {
                self.seen.push_str(&String::from_utf8_lossy(&bytes[..n]));
                true
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => true,
            Err(_) => false, // the program has ended
        }
    }

    /// In small portions: neither side may wait for the other for ever.
    fn types(&mut self, keys: &str) {
        for keys in keys.as_bytes().chunks(256) {
            self.pty.write_all(keys).expect("keys arrive");
            self.look(Duration::ZERO);
        }
    }

    /// Types a line and waits for the next prompt.
    fn says(&mut self, line: &str) -> String {
        self.types(line);
        self.types(ENTER);
        self.wait(READY)
    }

    /// Waits for the middle of an answer.
    fn asks(&mut self) {
        self.types(FRANCE);
        self.types(ENTER);
        self.wait("is Paris");
    }

    /// Interrupts, and waits for the next prompt.
    fn interrupts(&mut self, says: &str) {
        self.types(CTRL_C);
        self.wait(says);
        self.wait(READY);
    }

    /// Waits for the program to end, and looks whether it left the terminal as it was.
    fn end(&mut self) -> (ExitStatus, String) {
        while self.look(Duration::from_secs(1)) {}
        let status = self.child.wait().expect("a status");
        assert_eq!(settings(&self.pty), self.before, "the terminal is not as it was");
        assert!(!self.seen.contains("panicked"), "{}", self.seen);
        (status, self.seen[self.read..].to_string())
    }

    fn leaves(mut self) {
        self.types(CTRL_D);
        let (status, seen) = self.end();
        assert!(status.success(), "{status}: {seen}");
    }
}

/// A test that fails leaves nothing behind that computes on.
impl Drop for Person {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn settings(pty: &Pty) -> String {
    format!("{:?}", tcgetattr(pty).expect("a terminal has settings"))
}

/// Some 600 tokens, as somebody would paste them.
fn long_paste() -> String {
    format!("\x1b[200~{}\x1b[201~", "The little boy went to the old green hill. ".repeat(150))
}

#[test]
fn a_line_can_be_edited_and_comes_back_from_the_history() {
    let mut person = person(&[]);
    assert_ne!(settings(&person.pty), person.before, "it should read keys, not lines");
    person.types("Whatx");
    person.types(BACKSPACE);
    person.types(" is the capital of Fance?");
    person.types(&LEFT.repeat(5));
    person.types("r");
    let answer = person.says("");
    assert!(answer.contains("\nThe capital of France is Paris."), "{answer:?}");
    person.types(UP);
    let answer = person.says("");
    assert!(answer.contains("\nThe capital of France is Paris."), "{answer:?}");
    let taken = person.says("/undo");
    assert!(taken.contains(&format!("taken back: {FRANCE}\r\n")), "{taken:?}");
    person.leaves();
}

#[test]
fn a_text_may_have_more_than_one_line() {
    let mut person = person(&["-n", "4"]);
    person.types("Count \\\r");
    person.wait(READY);
    person.says("to five.");
    assert!(person.says("/undo").contains(r"taken back: Count \nto five."));
    person.says("\x1b[200~Count\r\nto \\\r\nfive.\x1b[201~");
    assert!(person.says("/undo").contains(r"taken back: Count\nto \\nfive."));
    person.leaves();
}

/// A terminal that is set to another alphabet sends such bytes, and so does a paste.
#[test]
fn a_byte_that_is_no_text_does_not_end_the_conversation() {
    let mut person = person(&["-n", "4"]);
    person.says(FRANCE);
    person.types("caf");
    person.wait("caf");
    person.pty.write_all(b"\xff").expect("it arrives");
    person.wait("caf\u{fffd}");
    person.says(" au lait?");
    let taken = person.says("/undo");
    assert!(taken.contains("taken back: caf\u{fffd} au lait?"), "{taken:?}");
    // In a line that has nothing else, and not what an earlier line had.
    person.pty.write_all(b"\xff").expect("it arrives");
    person.wait("> \u{fffd}");
    person.says("");
    assert!(person.says("/undo").contains("taken back: \u{fffd}"));
    assert!(
        person.says("/undo").contains(&format!("taken back: {FRANCE}")),
        "all is still there"
    );
    person.leaves();
}

#[test]
fn what_is_typed_during_an_answer_is_the_next_line() {
    let mut person = person(&["--ignore-eos", "-n", "300"]);
    person.asks();
    person.types("/undo\r");
    person.wait(&format!("taken back: {FRANCE}"));
    person.wait(READY);
    person.leaves();
}

#[test]
fn ctrl_c_takes_a_question_back_that_is_still_being_read() {
    let mut person = person(&SLOWLY);
    person.types(&long_paste());
    person.types(ENTER);
    person.wait(" s left");
    person.interrupts("stopped: the question is taken back");
    assert!(person.says("/undo").contains("there is nothing to take back"));
    // Once more: what was read until then is kept, and Ctrl-C works as well as the first time.
    person.types(&UP.repeat(2));
    person.types(ENTER);
    person.wait(" s left");
    person.interrupts("stopped: the question is taken back");
    let stats = person.says("/stats");
    let rows: Vec<usize> = stats.lines().filter_map(kept).collect();
    assert!(matches!(rows[..], [0, kept] if kept > 0), "{stats}");
    person.leaves();
}

/// The column `kept` of one row of `/stats`.
fn kept(row: &str) -> Option<usize> {
    let numbers: Vec<&str> = row.split_whitespace().collect();
    numbers.first()?.parse::<usize>().ok().filter(|_| numbers.len() >= 8)?;
    numbers[2].parse().ok()
}

#[test]
fn ctrl_c_ends_an_answer_and_keeps_the_conversation() {
    let mut person = person(&SLOWLY);
    person.asks();
    person.interrupts("stopped: the answer ends here");
    assert!(person.says("/set max-new-tokens 6").contains("max-new-tokens 6"));
    person.says("Count to five.");
    assert!(person.says("/undo").contains("taken back: Count to five."));
    assert!(person.says("/undo").contains(&format!("taken back: {FRANCE}")));
    person.leaves();
}

#[test]
fn ctrl_c_at_the_prompt_hints_and_then_leaves() {
    let mut person = person(&[]);
    person.types("half a line");
    person.interrupts("once more leaves");
    assert!(person.says("/undo").contains("nothing to take back"), "the half line is gone");
    // The hint counts for the next line only.
    person.interrupts("once more leaves");
    person.types(CTRL_C);
    let (status, seen) = person.end();
    assert!(status.success(), "{status}: {seen}");
}

/// A program that is told to end while it reads keys gives the terminal back.
#[test]
fn a_signal_at_the_prompt_leaves_the_terminal_as_it_was() {
    for signal in [Signal::TERM, Signal::HUP] {
        let mut person = person(&[]);
        person.types("half a line");
        person.wait("line");
        assert_ne!(settings(&person.pty), person.before, "it should read keys");
        let id = Pid::from_child(&person.child);
        kill_process(id, signal).expect("it can be told");
        let (status, seen) = person.end();
        assert_eq!(status.signal(), Some(signal.as_raw()), "{seen:?}");
        assert!(seen.contains("\x1b[?2004l"), "pasting is as it was: {seen:?}");
    }
    // And in an answer it ends at once, as it always did.
    let mut person = person(&SLOWLY);
    person.asks();
    kill_process(Pid::from_child(&person.child), Signal::TERM).expect("it can be told");
    let (status, seen) = person.end();
    assert_eq!(status.signal(), Some(Signal::TERM.as_raw()), "{seen:?}");
}

#[test]
fn quit_leaves() {
    let mut person = person(&[]);
    person.types("/quit\r");
    let (status, seen) = person.end();
    assert!(status.success(), "{status}: {seen}");
}

#[test]
fn a_window_may_change_its_size_at_any_time() {
    let mut person = person(&SLOWLY);
    person.types("What is the capital");
    person.wait("capital");
    for (rows, columns) in [(5, 9), (1, 1), (24, 80)] {
        person.pty.resize(Size::new(rows, columns)).expect("another size");
        person.look(Duration::from_millis(100));
    }
    person.types(" of France?\r");
    person.wait("is Paris");
    for (rows, columns) in [(5, 9), (1, 1), (60, 200)] {
        person.pty.resize(Size::new(rows, columns)).expect("another size");
        person.look(Duration::from_millis(100));
    }
    person.interrupts("stopped: the answer ends here");
    assert!(person.says("/undo").contains(&format!("taken back: {FRANCE}")));
    person.leaves();
}

/// Closes the terminal and gives what the program still had to say.
fn closed(command: Command, until: &[&str], question: &str) -> (ExitStatus, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let errors = folder.path().join("errors");
    let command = command.stderr(fs::File::create(&errors).expect("a file"));
    let mut person = Person::start(command);
    person.wait(READY);
    person.types(question);
    for text in until {
        person.wait(text);
    }
    let (other, _) = open().expect("another terminal");
    drop(std::mem::replace(&mut person.pty, other));
    let status = person.child.wait().expect("a status");
    (status, fs::read_to_string(&errors).expect("what it said"))
}

#[test]
fn a_terminal_that_is_closed_ends_the_program() {
    let hang_up = 1;
    let answering: &[&str] = &["is Paris"];
    for (until, question) in [(&[][..], ""), (answering, "What is the capital of France?\r")] {
        let (status, errors) = closed(program().args(SLOWLY), until, question);
        // The signal and the failed reading are on their way at the same time.
        let ended = status.signal() == Some(hang_up) || status.code() == Some(1);
        assert!(ended && errors.lines().count() <= 2, "{status}: {errors}");
        assert!(!errors.contains("panicked"), "{errors}");
        // As nohup has it: no signal should come, and then nothing can be read or written. What listens to
        // the signal to give the terminal back cannot know that it was to be ignored.
        let deaf = r#"trap "" HUP; exec "$0" "$@""#;
        let program = Command::new("sh")
            .args(["-c", deaf, env!("CARGO_BIN_EXE_ch07-chat")])
            .args(SLOWLY)
            .env("TERM", "xterm-256color");
        let (status, errors) = closed(program, until, question);
        let ended = status.signal() == Some(hang_up) || status.code().is_some_and(|c| c <= 1);
        assert!(ended && errors.lines().count() <= 2, "{status}: {errors}");
        assert!(!errors.contains("panicked"), "{errors}");
    }
}

#[test]
fn an_answer_goes_into_a_pipe_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, flags) = (folder.path().join("answers"), ["--think", "on"]);
    let output = fs::File::create(&file).expect("a file");
    let mut person = Person::start(program().args(flags).stdout(output));
    person.wait("> ");
    person.types("Who are you?\r");
    person.wait("> ");
    person.types(CTRL_D);
    let (status, _) = person.end();
    assert!(status.success(), "{status}");
    assert!(!person.seen.contains('\x1b'), "{:?}", person.seen);
    let answers = fs::read_to_string(&file).expect("answers");
    assert!(
        answers.starts_with("<think>\n") && answers.contains("language model"),
        "{answers}"
    );
    assert!(!answers.contains("\x1b") && !answers.contains("\n> "), "{answers:?}");
}

#[test]
fn questions_from_a_pipe_need_no_prompt() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("questions");
    fs::write(&file, format!("{FRANCE}\n")).expect("a file");
    let questions = Stdio::from(fs::File::open(&file).expect("a file"));
    let mut person = Person::start(program().stdin(questions));
    let (status, seen) = person.end();
    assert!(status.success(), "{status}");
    assert_eq!(seen, "The capital of France is Paris.\r\n");
}

#[test]
fn ctrl_c_means_all_that_a_pipe_still_holds() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("questions");
    fs::write(&file, format!("{FRANCE}\n{FRANCE}\n")).expect("a file");
    let questions = Stdio::from(fs::File::open(&file).expect("a file"));
    let mut person = Person::start(program().args(SLOWLY).stdin(questions));
    person.wait("is Paris");
    person.types(CTRL_C);
    let (status, seen) = person.end();
    assert_eq!(status.signal(), Some(Signal::INT.as_raw()), "{seen}");
    assert!(seen.contains("\nstopped by Ctrl-C: the reply has "), "{seen:?}");
}

#[test]
fn a_thought_is_dimmed_unless_colours_are_not_wanted() {
    let dim = "\x1b[2m<think>\x1b[0m";
    let mut person = person(&["--think", "on"]);
    let answer = person.says("Who are you?");
    assert!(answer.contains(dim) && answer.contains("\x1b[2m</think>\x1b[0m"), "{answer:?}");
    let off = person.says("/think off").len();
    assert!(off > 0 && !person.says("Who are you?").contains("\x1b[2m"));
    person.leaves();

    let mut person = Person::start(program().env("NO_COLOR", "1").args(["--think", "on"]));
    person.wait(READY);
    let answer = person.says("Who are you?");
    assert!(answer.contains("<think>") && !answer.contains("\x1b[2m"), "{answer:?}");
    person.leaves();
}

#[test]
fn a_terminal_that_only_prints_gets_no_codes() {
    let mut person = Person::start(program().env("TERM", "dumb").args(["--think", "on"]));
    person.wait("> ");
    person.types("Who \\\rare you?\r");
    person.wait("</think>");
    person.wait("\n> ");
    person.types("/undo\r");
    person.wait(r"taken back: Who \nare you?");
    person.types(CTRL_D);
    let (status, _) = person.end();
    assert!(status.success() && !person.seen.contains('\x1b'), "{status}: {:?}", person.seen);
}

/// There Ctrl-C is a signal at the prompt, too.
#[test]
fn ctrl_c_at_a_prompt_without_an_editor_hints_and_then_leaves() {
    let mut person = Person::start(program().env("TERM", "dumb").args(SLOWLY));
    person.wait("\n> ");
    person.types("half a line");
    person.wait("half a line");
    person.types(CTRL_C);
    person.wait("once more leaves");
    person.wait("\n> ");
    person.types("/undo\r");
    person.wait("nothing to take back"); // the half line is gone
    person.asks();
    person.types(CTRL_C);
    person.wait("stopped: the answer ends here");
    person.wait("\n> ");
    person.types(CTRL_C);
    person.wait("once more leaves");
    person.wait("\n> ");
    person.types(CTRL_C);
    let (status, seen) = person.end();
    assert!(status.success() && !person.seen.contains('\x1b'), "{status}: {seen}");
}

/// A model whose token for the beginning of a thought turns a terminal red.
#[test]
fn a_terminal_does_not_obey_the_model() {
    let mut bytes = ground::embedded::tiny_qwen3_bytes().to_vec();
    let places: Vec<usize> = bytes
        .windows(7)
        .enumerate()
        .filter(|(_, window)| window == b"<think>")
        .map(|(at, _)| at)
        .collect();
    for at in places {
        bytes[at..at + 7].copy_from_slice(b"\x1b[31mab");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("red.gguf");
    fs::write(&file, bytes).expect("a file");
    let file = file.to_str().expect("a plain path");
    let mut person = person(&["--model", file, "--think", "on"]);
    let answer = person.says("Who are you?");
    assert!(answer.contains(r"\u{1b}[31mab") && !answer.contains("\x1b[31m"), "{answer:?}");
    person.leaves();
}
