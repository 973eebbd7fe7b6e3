//! The progress bar, as a person meets it: long work draws one at a terminal, and nothing into a pipe.

#![cfg(unix)]

use std::env::{current_exe, var_os};
use std::io::Read;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use ground::progress_bar::Bar;
use pty_process::blocking::open;

const AT_WORK: &str = "COURSE_TEST_IS_AT_WORK";
const THIS: &str = "bar_shown::long_work_shows_a_bar_at_a_terminal_and_nothing_in_a_pipe";
/// What clears a line of a terminal.
const CLEAR: &str = "\x1b[2K";

/// In a process of its own, which has the standard error that the test gives it.
fn work() {
    let mut bar = Bar::new("counting", 4);
    bar.advance(1); // it began only now: there may be nothing to wait for
    sleep(Duration::from_millis(700));
    bar.advance(1);
    sleep(Duration::from_millis(200)); // a bar is not drawn more often than one can look
    bar.advance(1);
}

#[test]
fn long_work_shows_a_bar_at_a_terminal_and_nothing_in_a_pipe() {
    if var_os(AT_WORK).is_some() {
        return work();
    }
    let program = current_exe().expect("this program");
    let arguments = ["--exact", THIS, "--nocapture"];

    let mut piped = Command::new(&program);
    let piped = piped.args(arguments).env(AT_WORK, "1").output().expect("it runs");
    assert!(piped.status.success());
    assert_eq!(String::from_utf8_lossy(&piped.stderr), "");

    let (mut pty, pts) = open().expect("a terminal");
    let mut child = pty_process::blocking::Command::new(&program)
        .args(arguments)
        .env(AT_WORK, "1")
        .env("TERM", "xterm-256color")
        .stdout(Stdio::null())
        .spawn(pts)
        .expect("it runs");
    let mut seen = Vec::new();
    let _ = pty.read_to_end(&mut seen); // the end of a terminal is an error on Linux
    assert!(child.wait().expect("a status").success());
    let seen = String::from_utf8_lossy(&seen);

    assert!(seen.contains("counting ["), "no bar: {seen:?}");
    assert!(!seen.contains("25%"), "shown before there was anything to wait for: {seen:?}");
    let (half, more) = (seen.find("50%"), seen.find("75%"));
    assert!(half.is_some() && half < more, "it does not move: {seen:?}");
    let last = seen.rfind('%').expect("a bar");
    assert!(seen[last..].contains(CLEAR), "it stays when the work is done: {seen:?}");
}
