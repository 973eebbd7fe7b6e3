//! Progress and Ctrl-C: how a pass tells how far it is, what is shown of that and to whom, and how a run is ended.

use std::num::NonZeroUsize;
use std::process::Command;
use std::time::Duration;

use ch07_chat::backend::Backend;
use ch07_chat::cache::Mode;
use ch07_chat::compute::ComputeContext;
use ch07_chat::model::Model;
use ch07_chat::progress_line;
use ch07_chat::run_progress::RunProgress;
use ch07_chat::stop::stopped;
use ground::config::Config;
use ground::gguf::Gguf;

/// Ids of tokens that every model of the tests has.
fn prompt(tokens: usize) -> Vec<u32> {
    (0..tokens as u32).map(|index| 5 + index * 7 % 250).collect()
}

/// A watch is told of every layer. It can end the pass there, and the cache goes on from before it.
#[test]
fn a_pass_that_is_stopped_leaves_the_cache_as_it_was() {
    let path = test_support::root().join("tests/fixtures/models/untied-one-kv.gguf");
    let file = Gguf::open(&path).expect("it opens");
    let config = Config::from_gguf(&file).expect("its config is sound");
    let compute = ComputeContext::new(Backend::available()[0], 1).expect("one thread starts");
    let model = Model::load(&file, config, compute).expect("the model loads");
    let ids = prompt(20);
    let cache = Mode::Contiguous.cache(&model.config, 20).expect("there is memory");
    let mut cache = cache.expect("a cache was asked for");
    let chunk = NonZeroUsize::new(8).expect("not zero");
    let mut seen = Vec::new();
    let mut watch = |done| {
        seen.push(done);
        seen.len() < 4
    };
    let ended = model.forward_in_chunks(&ids, 0, Some(&mut *cache), chunk, &mut watch);
    assert_eq!(ended, Ok(None));
    assert_eq!(seen, [4, 8, 12, 16]);
    // The last layer of the second chunk was done, but the chunk does not count.
    assert_eq!(cache.shape().length, 8);
    let rest = model.forward_in_chunks(&ids[8..], 8, Some(&mut *cache), chunk, &mut |_| true);
    let whole = model.forward(&ids, 0, None, &mut |_| true);
    assert_eq!(rest, whole);
    assert_ne!(whole, Ok(None));
}

#[test]
fn progress_in_numbers() {
    let line =
        |done, all, seconds| progress_line::line(done, all, Duration::from_secs(seconds));
    assert_eq!(line(512, 4096, 2), "512 of 4096 tokens, 256.0 tok/s, 14 s left");
    assert_eq!(line(4096, 4096, 10), "4096 of 4096 tokens, 409.6 tok/s, 0 s left");
}

#[test]
fn a_stopped_run_in_numbers() {
    let line = |new| stopped(RunProgress { done: 16, all: 20, new }).to_string();
    assert_eq!(line(0), "stopped by Ctrl-C: 16 of 20 tokens of the prompt were read");
    assert_eq!(line(1), "stopped by Ctrl-C: the reply has 1 token");
    assert_eq!(line(14), "stopped by Ctrl-C: the reply has 14 tokens");
}

fn engine() -> Command {
    Command::new(env!("CARGO_BIN_EXE_ch07-chat"))
}

fn numbers_of(ids: &[u32]) -> String {
    ids.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

#[test]
#[ignore = "cargo prove: a run of seconds"]
fn progress_is_for_people_only() {
    // Slow enough for more than a second.
    let text = "the ".repeat(1900);
    let flags = ["--threads=1", "--backend=scalar", "--prefill-chunk=1", "-n1"];
    let output = engine().arg(text).args(flags).output().expect("it starts");
    assert!(output.status.success());
    assert!(!output.stderr.contains(&b'\x1b'), "{}", String::from_utf8_lossy(&output.stderr));
}

/// On a terminal that takes orders, and only there.
#[cfg(unix)]
#[test]
#[ignore = "cargo prove: runs of seconds"]
fn progress_is_for_terminals_that_take_orders() {
    use rustix::fs::{Mode as Rights, OFlags, open};
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use std::io::Read;
    use std::process::Stdio;

    for (kind, expected) in [("xterm", true), ("dumb", false), ("", false)] {
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&terminal).and_then(|()| unlockpt(&terminal)).expect("it can be opened");
        let name = ptsname(&terminal, Vec::new()).expect("it has a name");
        let screen =
            open(name, OFlags::WRONLY | OFlags::NOCTTY | OFlags::CLOEXEC, Rights::empty());
        let mut command = engine();
        let ids = numbers_of(&prompt(500)); // longer than a second
        command.args([
            "--token-ids",
            &ids,
            "-n1",
            "--threads=1",
            "--backend=scalar",
            "--prefill-chunk=1",
        ]);
        command
            .env("TERM", kind)
            .stdout(Stdio::null())
            .stderr(Stdio::from(screen.expect("it opens")));
        let mut child = command.spawn().expect("it starts");
        drop(command); // with the last of its screens the terminal ends
        let mut shown = Vec::new();
        let _ = std::fs::File::from(terminal).read_to_end(&mut shown); // on Linux the end is an error
        assert!(child.wait().expect("it ends").success());
        let shown = String::from_utf8(shown).expect("it is text");
        assert_eq!(shown.contains(" of 500 tokens, "), expected, "{kind:?}: {shown:?}");
        assert_eq!(shown.contains('\x1b'), expected, "{kind:?}: {shown:?}");
        assert!(!expected || shown.contains("\n\x1b[K\x1b8"), "it goes away: {shown:?}");
    }
}

#[cfg(unix)]
mod stopped {
    use std::io::Read;
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::process::{Child, Output, Stdio};

    use super::*;

    /// Slow enough for a signal to come in between.
    const SLOW: [&str; 4] =
        ["--threads=1", "--backend=scalar", "--prefill-chunk=1", "--ignore-eos"];

    /// Sends the signal of Ctrl-C when so much was printed.
    fn stopped_after(mut child: Child, printed: usize) -> (Vec<u8>, Output) {
        let mut first = vec![0; printed];
        let out = child.stdout.as_mut().expect("it is piped");
        out.read_exact(&mut first).expect("it prints as much");
        let process = child.id().to_string();
        let kill = Command::new("kill").args(["-INT", &process]).status();
        assert!(kill.expect("kill is there").success());
        (first, child.wait_with_output().expect("it ends"))
    }

    fn start(arguments: &[&str]) -> Child {
        let mut engine = engine();
        engine.args(arguments).args(SLOW).stdout(Stdio::piped()).stderr(Stdio::piped());
        engine.spawn().expect("it starts")
    }

    /// One line that says it, an end by the signal, and nothing else.
    fn line_of(output: &Output) -> &str {
        let line = std::str::from_utf8(&output.stderr).expect("it is text");
        assert_eq!(output.status.signal(), Some(2), "{line}");
        assert_eq!(line.matches('\n').count(), 1, "{line}");
        line.strip_prefix("stopped by Ctrl-C: ").expect("it says why")
    }

    #[test]
    fn in_the_middle_of_a_prompt() {
        let text = "the ".repeat(1900);
        let text = text.trim();
        let (first, output) = stopped_after(start(&[text]), text.len());
        assert_eq!(first, text.as_bytes());
        assert_eq!(output.stdout, b"\n", "the text's line ends");
        let line = line_of(&output);
        let words: Vec<&str> = line.split(' ').collect();
        let [done, all] = [0, 2].map(|word| words[word].parse::<usize>().expect("a number"));
        assert!(done < all, "{line}");
        assert_eq!(line, format!("{done} of {all} tokens of the prompt were read\n"));
    }

    #[test]
    fn in_the_middle_of_a_reply() {
        let text = "Once upon a time";
        let (first, output) = stopped_after(start(&[text, "-n2000"]), text.len() + 20);
        assert!(first.starts_with(text.as_bytes()));
        assert_eq!(output.stdout.last(), Some(&b'\n'), "the text's line ends");
        let line = line_of(&output);
        assert!(line.starts_with("the reply has ") && line.ends_with(" tokens\n"), "{line}");
    }

    /// A terminal sends the signal to the shell, too. The shell waits to see how the program ends.
    #[test]
    fn in_a_script_of_a_shell() {
        // What is run in the background ignores the signal, and so does all that it starts: unless it has a handler.
        let _ = ctrlc::set_handler(|| std::process::exit(130));
        let run = r#""$0" "$@"; echo went-on"#;
        let mut shell = Command::new("bash");
        shell
            .args(["-c", run, env!("CARGO_BIN_EXE_ch07-chat"), "Once upon a time", "-n2000"])
            .args(SLOW);
        shell.process_group(0).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut shell = shell.spawn().expect("it starts");
        let mut first = [0; 40];
        shell.stdout.as_mut().expect("it is piped").read_exact(&mut first).expect("a reply");
        let both = format!("-{}", shell.id());
        let kill = Command::new("kill").args(["-INT", "--", &both]).status();
        assert!(kill.expect("kill is there").success());
        let output = shell.wait_with_output().expect("it ends");
        let shown = String::from_utf8_lossy(&output.stdout);
        assert!(!shown.contains("went-on"), "the script went on: {shown}");
        line_of(&output);
    }

    #[test]
    fn without_text() {
        let ids = numbers_of(&prompt(1900));
        let child = start(&["--token-ids", &ids, "--json"]);
        // Nothing is printed that one could wait for.
        std::thread::sleep(Duration::from_millis(1000));
        let (_, output) = stopped_after(child, 0);
        assert_eq!(output.stdout, b"");
        line_of(&output);
    }
}
