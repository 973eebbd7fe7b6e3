//? title: Where the arguments end
//? page: ch16/tools.md
//? section: Taken out again
//? level: core
//? minutes: 25
//? call: check(arguments_end)
//? hint 1: Put your finger on the first bracket of `{"a": "}\"}", "b": {}}` and move it to the right. What do you have to remember at each character, to know whether the next bracket counts?
//? hint 2: Three things: how many brackets are open, whether you're in a string, and whether the character before was a backslash that escapes this one. A piece may end anywhere, between a backslash and what it escapes too, so all three outlive the piece.
//? hint 3: For each byte, in this order: if it's escaped, it means nothing. In a string, a backslash escapes the next one, and a quotation mark ends the string. Outside, a quotation mark begins one, and brackets count. After a bracket that leaves none open, return the place behind it.
//? why: The engine has held the call to its grammar, so nothing has to be checked here, and a parser would only wait for the end. The splitter of the server is this loop: two flags and
//?   a number. Bytes will do, since no byte of a longer character in UTF-8 is one of the four that matter. Only a backslash *before* a character can't be seen from that character alone:
//?   `\\"` ends a string, and `\\\"` doesn't. So the flag is set and cleared from left to right, and never looked up by going back.

// The arguments of a call come in pieces of a stream, which may be cut anywhere between two characters. Together they're a
// valid JSON object, with something behind it perhaps: `["{\"a\": \"}", "\\\"\"}\n</tool", "_call>"]`.
//
// Return where the object ends: in which piece, and how many bytes of that piece belong to it. None, if its end hasn't come yet.
// The first piece begins with the object's `{`. A piece may be empty.

pub fn arguments_end(pieces: &[&str]) -> Option<(usize, usize)> {
    //-- starter
    // todo!()
    //-- solution
    let (mut open, mut in_text, mut escaped) = (0, false, false);
    for (number, piece) in pieces.iter().enumerate() {
        for (at, byte) in piece.bytes().enumerate() {
            if escaped {
                escaped = false;
            } else if in_text {
                escaped = byte == b'\\';
                in_text = byte != b'"';
            } else {
                in_text = byte == b'"';
                open += i32::from(byte == b'{') - i32::from(byte == b'}');
            }
            if open == 0 {
                return Some((number, at + 1));
            }
        }
    }
    None
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::explained::{as_written, ask_in_turn};
    use exercise_kit::{Checked, Random};

    pub fn check(arguments_end: fn(&[&str]) -> Option<(usize, usize)>) -> Checked {
        let case = |pieces: &Vec<String>| format!("the pieces are {pieces:?}");
        let answer = |pieces: &Vec<String>| {
            let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
            arguments_end(&pieces)
        };
        ask_in_turn(given(), case, answer, |pieces| right(pieces), as_written)
    }

    /// In each of the first ones, one thing more can go wrong.
    fn given() -> Vec<(&'static str, Vec<String>)> {
        let mut given: Vec<_> = [
            (
                "it ends with its own bracket, not with the first one",
                &[r#"{"a": {}, "b": 1}x"#][..],
            ),
            ("a bracket in a string is a letter", &[r#"{"a": "}"}x"#]),
            ("an escaped quotation mark ends no string", &[r#"{"a": "\"}"}x"#]),
            ("a backslash that is escaped itself escapes nothing", &[r#"{"a": "\\"}x"}"#]),
            ("a string goes on in the next piece", &[r#"{"a": ""#, r#"}"}x"#]),
            (
                "a backslash escapes the first character of the next piece",
                &[r#"{"a": "\"#, r#""}"}"#],
            ),
            ("the place counts bytes", &[r#"{"é": 1}x"#]),
            ("its end has not come yet", &[r#"{"a": [{}"#, ""]),
            ("", &["{", "", "}"]),
        ]
        .map(|(reason, pieces)| {
            (reason, pieces.iter().map(|piece| piece.to_string()).collect())
        })
        .into();
        let mut random = Random::new(162);
        while given.len() < 500 {
            let mut all = String::from("{\"é\": \"");
            for _ in 0..random.below(8) {
                all += ["{", "}", "\\\"", "\\\\", "a", "é"][random.below(6)];
            }
            all += ["\"", "\", \"a\": [{}]"][random.below(2)];
            all += ["}", "}\n}", ", \"}\": {}}\"", ""][random.below(4)];
            let (mut pieces, mut piece) = (Vec::new(), String::new());
            for character in all.chars() {
                piece.push(character);
                if random.below(3) == 0 {
                    pieces.push(std::mem::take(&mut piece));
                }
            }
            pieces.push(piece);
            given.push(("", pieces));
        }
        given
    }

    /// By trying: the object is the shortest beginning in which all strings and all brackets are closed.
    fn right(pieces: &[String]) -> Option<(usize, usize)> {
        let all = pieces.concat();
        let ends =
            all.char_indices().filter(|(_, letter)| *letter == '}').map(|(at, _)| at + 1);
        let end = ends.into_iter().find(|end| is_closed(&all[..*end]))?;
        let mut before = 0;
        for (number, piece) in pieces.iter().enumerate() {
            if end <= before + piece.len() {
                return Some((number, end - before));
            }
            before += piece.len();
        }
        None
    }

    /// Without escapes and then without strings, it has as many brackets of each kind.
    fn is_closed(text: &str) -> bool {
        let plain = text.replace("\\\\", "").replace("\\\"", "");
        let parts: Vec<&str> = plain.split('"').collect();
        let outside: String = parts.iter().step_by(2).copied().collect();
        parts.len() % 2 == 1 && outside.matches('{').count() == outside.matches('}').count()
    }
}
