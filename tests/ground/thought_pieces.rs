//! A thought is told from the rest of an answer, and what a terminal would obey is written out.

use ground::text::visible;
use ground::think_split::{Thought, closed};

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

#[test]
fn a_thought_without_an_end_gets_one() {
    assert_eq!(closed("<think>\nhm"), "<think>\nhm\n</think>\n\n");
    for text in ["", "Paris", "<think>\nhm\n</think>\n\nParis", "</think>"] {
        assert_eq!(closed(text), text);
    }
}
