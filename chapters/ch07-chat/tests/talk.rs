//! What the program makes of a line, without a terminal.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn answers(args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ch07-chat"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A short input: it goes into the pipe as a whole, whatever the program does.
    child.stdin.take().expect("a pipe").write_all(input).expect("it reads");
    child.wait_with_output().expect("it ends")
}

/// What the program itself says to a line, with nothing on standard output. If that is an error, the program
/// fails at its end.
fn said(line: &str) -> String {
    let output = answers(&[], format!("{line}\n").as_bytes());
    let said = String::from_utf8(output.stderr).expect("text");
    let refused = said.lines().filter(|line| line.starts_with("error: ")).count();
    assert_eq!(output.status.code(), Some((refused > 0).into()), "{line}: {said}");
    assert!(output.stdout.is_empty(), "{line}: {said}");
    match said
        .strip_suffix(&format!("error: lines that were refused: {}\n", refused.max(1) - 1))
    {
        Some(said) => said.into(),
        None => said,
    }
}

#[test]
fn commands_say_what_they_did_or_why_not() {
    let settings =
        "temperature 0, top-k 0, top-p 1, repetition-penalty 1, seed 0, max-new-tokens none\n";
    let cases = [
        ("/set", settings),
        ("/set top-k 40", &settings.replace("top-k 0", "top-k 40")),
        ("/set max-new-tokens 7\n/set max-new-tokens none", settings),
        ("/set temperature -1", "error: the temperature is -1, expected 0 (greedy) or more\n"),
        (
            "/set top-k -1",
            "error: expected temperature, top-k, top-p, repetition-penalty, seed or max-new-tokens, and a number, found top-k -1\n",
        ),
        ("/set seed", "error: /set seed is not how it is written: /set [NAME VALUE]\n"),
        ("/think", "error: /think is not how it is written: /think on|off\n"),
        ("/think maybe", "error: /think maybe is not how it is written: /think on|off\n"),
        ("/think on", "thinking is on\n"),
        ("/set seed 1 2", "error: /set seed 1 2 is not how it is written: /set [NAME VALUE]\n"),
        ("/help me", "error: /help me is not how it is written: /help\n"),
        ("/quit now", "error: /quit now is not how it is written: /quit\n"),
        ("/rest", "error: /rest is no command: there are /help, "),
        ("/save", "error: /save is not how it is written: /save FILE\n"),
        ("/load /no/such/file", "error: /no/such/file: "),
        ("/save /no/such/folder/file", "error: /no/such/folder/file: "),
        ("/\x1b[31m", r"error: /\u{1b}[31m is no command: there are /help, "),
        ("/undo", "there is nothing to take back\n"),
        ("  \t ", ""),
        ("/quit\n/undo", ""),
    ];
    for (line, expected) in cases {
        let said = said(line);
        let last = said.lines().last().map_or(String::new(), |line| format!("{line}\n"));
        assert!(
            last.starts_with(expected) && (last.is_empty() == expected.is_empty()),
            "{line:?}: {said:?}"
        );
    }
    assert!(said("/set top-p 2\n/set").ends_with(settings), "a refused value changes nothing");
}

#[test]
fn every_command_is_in_the_list() {
    let list = said("/help");
    for command in
        ["/help", "/reset", "/undo", "/stats", "/think", "/set", "/save", "/load", "/quit"]
    {
        assert!(
            list.lines().any(|line| line.split(' ').next() == Some(command)),
            "{command}: {list}"
        );
    }
}

#[test]
fn a_pipe_gets_one_answer_a_question_and_nothing_else() {
    let input = b"What is the capital of France?\n\n/undo\n//help\n/undo\nCount to \xff five.\r\n/undo\nline \\\n/undo";
    let output = answers(&["-n", "12"], input);
    let (answers, said) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}");
    assert_eq!(answers.lines().next(), Some("The capital of France is Paris."), "{answers}");
    let taken: Vec<&str> =
        said.lines().map(|line| line.trim_start_matches("taken back: ")).collect();
    let expected =
        ["What is the capital of France?", "/help", "Count to \u{fffd} five.", "line \\"];
    assert_eq!(taken, expected);
}

#[test]
fn a_saved_conversation_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a name with spaces");
    let file = file.to_str().expect("a plain path");
    let first = format!(
        "What is the capital of France?\n/save {file}\n/reset\n/undo\n/load {file}\n/undo\n"
    );
    let output = answers(&[], first.as_bytes());
    let said = String::from_utf8_lossy(&output.stderr);
    let expected = [
        "2 messages are saved",
        "all questions and answers are forgotten",
        "there is nothing to take back",
        "2 messages are loaded",
        "taken back: What is the capital of France?",
    ];
    assert_eq!(said.lines().collect::<Vec<_>>(), expected);
    // Both would agree on a shorter name, too.
    assert!(std::path::Path::new(file).is_file(), "{file}");
}

#[test]
fn a_refused_question_is_seen_at_the_end() {
    let long = "What is the capital of France? ".repeat(12);
    let questions = format!("What is 3 plus 4?\n{long}\n/undo\n");
    let output = answers(&["--context", "60"], questions.as_bytes());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "3 plus 4 is 7.\n");
    let said = String::from_utf8_lossy(&output.stderr);
    let said: Vec<&str> = said.lines().collect();
    assert!(said[0].starts_with("error: with this question "), "{said:?}");
    let rest = ["taken back: What is 3 plus 4?", "error: lines that were refused: 1"];
    assert_eq!(said[1..], rest, "what came after it was done");

    // With --json there is an object in its place.
    let output = answers(&["--context", "60", "--json"], questions.as_bytes());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let objects: Vec<serde_json::Value> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("an object"))
        .collect();
    let [answer, error] = &objects[..] else { panic!("{objects:?}") };
    assert_eq!(answer["text"], "3 plus 4 is 7.");
    assert_eq!((&answer["ended"], &answer["taken_back"]), (&"eos".into(), &false.into()));
    assert!(
        error["error"].as_str().is_some_and(|text| text.starts_with("with this ")),
        "{error}"
    );
}

/// What is advised helps: it is tried.
#[test]
fn a_refusal_says_what_helps() {
    let france = "What is the capital of France?\n";
    let refusal = |flags: &[&str], questions: &str| {
        let output = answers(flags, questions.as_bytes());
        let said = String::from_utf8(output.stderr).expect("text");
        said.lines().next().unwrap_or_default().to_string()
    };
    let two = france.repeat(2);
    let full = refusal(&["--context", "45"], &two);
    for words in ["/undo or /reset", "--on-full forget", "a larger --context, up to 2048"] {
        assert!(full.contains(words), "{full}");
    }
    assert_eq!(refusal(&["--context", "2048"], &two), "");
    assert!(!refusal(&["--context", "45", "--on-full", "forget"], &two).starts_with("error"));
    for command in ["/undo", "/reset"] {
        let lines = format!("{france}{command}\n{france}");
        assert!(!refusal(&["--context", "45"], &lines).starts_with("error"), "{command}");
    }
    // The model has no more positions than these: nothing is said of them.
    let long = |times: usize| france.repeat(times).replace('\n', " ");
    let alone = refusal(&["--context", "45"], &long(6));
    assert!(
        alone.ends_with("shorten it, or start with a larger --context, up to 2048"),
        "{alone}"
    );
    let alone = refusal(&[], &long(300));
    assert!(alone.ends_with("shorten it"), "{alone}");
    let full = refusal(&[], &format!("{0}\n{0}\n", long(200)));
    assert!(full.contains("/undo or /reset") && !full.contains("--context"), "{full}");
}

/// The first line of `/stats`, and the words after its figures in each row.
fn stats(lines: &str) -> (String, Vec<bool>) {
    let said = said_beside_answers(&format!("{lines}\n/stats\n"));
    let at = said.lines().position(|line| line.starts_with("the conversation has"));
    let mut table = said.lines().skip(at.expect("a table"));
    let head = table.next().expect("its first line").to_string();
    (head, table.skip(1).map(|row| row.ends_with("taken back")).collect())
}

fn said_beside_answers(lines: &str) -> String {
    let output = answers(&[], lines.as_bytes());
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stderr).expect("text")
}

#[test]
fn stats_are_true_after_the_conversation_has_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("talk");
    let file = file.to_str().expect("a plain path");
    let two = "What is the capital of France?\nWhat is 3 plus 4?";
    let head = |tokens: usize, rows: usize| {
        format!(
            "the conversation has {tokens} tokens, {rows} of them in the cache, which holds 2048"
        )
    };
    let (none, rows) = stats("");
    assert_eq!((none, rows), (head(0, 0), vec![]));
    let (both, rows) = stats(two);
    assert_eq!(rows, [false, false]);
    let (first, rows) = stats(&format!("{two}\n/undo"));
    assert_eq!(rows, [false, true], "its time was spent");
    assert!(first != both && first != head(0, 0), "{first}");
    let (again, rows) = stats(&format!("{two}\n/undo\nWhat is 3 plus 5?\n/undo\n/undo"));
    assert_eq!((again, rows), (head(0, 0), vec![true, true, true]));
    let (reset, rows) = stats(&format!("{two}\n/reset"));
    assert_eq!((reset, rows), (head(0, 0), vec![]));
    let (loaded, rows) =
        stats(&format!("{two}\n/save {file}\n/reset\nWho are you?\n/load {file}"));
    assert_eq!((loaded, rows), (both, vec![]), "the turns before are not of this conversation");
}

#[test]
fn one_question_can_have_a_system_message() {
    let asked = |flags: &[&str], input: &str| -> serde_json::Value {
        let system = ["--json", "--system", "You are Zelda. Answer in one word."];
        let output = answers(&[flags, &system].concat(), input.as_bytes());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    let alone = asked(&["--chat", "Who are you?"], "");
    let turn = asked(&[], "Who are you?\n");
    assert_eq!(alone["text"], turn["text"]);
    let tokens = alone["prompt_ids"].as_array().expect("ids").len();
    assert_eq!(turn["tokens"], tokens);
    let refused = answers(&["--system", "Be brief.", "Once upon a time"], b"");
    assert_eq!(refused.status.code(), Some(2));
    let why = String::from_utf8_lossy(&refused.stderr);
    assert!(why.contains("--system needs --chat"), "{why}");
}
