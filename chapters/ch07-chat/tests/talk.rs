//! What the program makes of a line, of a thought and of a control character, without a terminal.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use ch07_chat::terminal::visible;
use ch07_chat::thought::Thought;

/// The text of the parts, each character with whether it is thought.
fn marked(pieces: &[&str]) -> Vec<(char, bool)> {
    let mut thought = Thought::default();
    let mut parts: Vec<_> = pieces.iter().flat_map(|piece| thought.push(piece)).collect();
    parts.push(thought.finish());
    let marks = |(text, thought): &(String, bool)| {
        text.chars().map(|character| (character, *thought)).collect::<Vec<_>>()
    };
    parts.iter().flat_map(marks).collect()
}

#[test]
fn a_thought_is_told_from_the_rest_wherever_pieces_end() {
    let cases = [
        ("[<think>hm\n</think>]\n\nParis", "\n\nParis"),
        ("[<think>a < b <</think>]c <th", "c <th"),
        ("[<think></think>]é", "é"),
        ("<thin", "<thin"),
        ("</think>a", "</think>a"),
        ("[<think>never closed </thi", ""),
        ("a [<think>b</think>] c [<think>d", ""),
        ("", ""),
    ];
    for (case, after) in cases {
        let mut expected = Vec::new();
        let mut inside = false;
        for character in case.chars() {
            match character {
                '[' => inside = true,
                ']' => inside = false,
                _ => expected.push((character, inside)),
            }
        }
        let outside: String = expected.iter().filter(|(_, t)| !t).map(|(c, _)| c).collect();
        assert!(outside.ends_with(after), "{case}: the case itself is wrong");
        let text = case.replace(['[', ']'], "");
        let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        for &a in &ends {
            for &b in ends.iter().filter(|&&b| b >= a) {
                let pieces = [&text[..a], &text[a..b], &text[b..]];
                assert_eq!(marked(&pieces), expected, "{pieces:?}");
            }
        }
    }
}

#[test]
fn a_piece_that_cannot_be_a_tag_is_not_held_back() {
    let mut thought = Thought::default();
    assert_eq!(thought.push("a <b <th"), [("a <b ".to_string(), false)]);
    assert_eq!(thought.push("at "), [("<that ".to_string(), false)]);
}

#[test]
fn control_characters_are_written_out() {
    assert_eq!(visible("a\n\tb é ü 中 🙂"), "a\n\tb é ü 中 🙂");
    assert_eq!(
        visible("\x1b[2J\r\x07\x08\x7f\u{9b}5m\0\u{202e}\u{2067}"),
        r"\u{1b}[2J\r\u{7}\u{8}\u{7f}\u{9b}5m\u{0}\u{202e}\u{2067}"
    );
}

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

/// What the program itself says to a line, with nothing on standard output.
fn said(line: &str) -> String {
    let output = answers(&[], format!("{line}\n").as_bytes());
    assert!(output.status.success() && output.stdout.is_empty(), "{line}: {output:?}");
    String::from_utf8(output.stderr).expect("text")
}

#[test]
fn commands_say_what_they_did_or_why_not() {
    let settings =
        "temperature 0, top-k 0, top-p 1, repetition-penalty 1, seed 0, max-new-tokens none\n";
    let cases = [
        ("/set", settings),
        ("/set top-k 40", &settings.replace("top-k 0", "top-k 40")),
        (
            "/set seed 18446744073709551615",
            &settings.replace("seed 0", "seed 18446744073709551615"),
        ),
        ("/set max-new-tokens 7\n/set max-new-tokens none", settings),
        ("/set temperature -1", "error: the temperature is -1, expected 0 (greedy) or more\n"),
        ("/set top-p NaN", "error: top-p is NaN, expected 0 to 1 (1: all tokens)\n"),
        (
            "/set top-k -1",
            "error: expected temperature, top-k, top-p, repetition-penalty, seed or max-new-tokens, and a number, found top-k -1\n",
        ),
        (
            "/set heat 1",
            "error: expected temperature, top-k, top-p, repetition-penalty, seed or max-new-tokens, and a number, found heat 1\n",
        ),
        ("/set seed", "error: /set seed is no command: there are /help, "),
        ("/think", "error: /think is no command: there are /help, "),
        ("/think maybe", "error: /think maybe is no command: there are /help, "),
        ("/think on", "thinking is on\n"),
        ("/help me", "error: /help me is no command: there are /help, "),
        ("/save", "error: /save is no command: there are /help, "),
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
}
