//? title: Events out of pieces that are cut anywhere
//? page: ch09/streams.md
//? section: As it comes
//? level: core
//? minutes: 40
//? call: check(Events::new, Events::push)
//? hint 1: What arrives together needn't belong together, and one push may bring half a character or five events. What is the smallest unit that you can understand as soon as it is whole, and what do you have to keep until then? Is it text yet?
//? hint 2: Keep bytes up to the next `\n`: no other character has that byte in it, so a line that has come as a whole has whole characters. Take its `\n` off, and then a `\r` at its end if there is one. Keep the data of the event's lines beside that, and keep "no data so far" apart from "data that is empty".
//? hint 3: `held: Vec<u8>` for the line, `data: Option<String>` for the event. For each byte: no `\n`, so keep it. Otherwise the line is whole. Is it empty? `events.extend(self.data.take())`. Does it begin with `data:`? Drop one blank with `strip_prefix`, and add what remains, with a `\n` before it if `data` is already `Some`. A comment and another field need nothing.
//? why: TCP has no messages, so a read ends where a packet or a buffer does: inside a character, inside `data:`, between `\r` and
//?   `\n`. A reader that takes apart what each read brings is right on its author's machine, where events are small and arrive
//?   one by one, and wrong behind the first proxy. So the only thing that may be looked at is a line that is whole, and until
//?   its `\n` is here it's bytes: the byte 10 is never a part of a longer character in UTF-8, while the bytes of one character
//?   can come in two pushes. An `Option` keeps the two empty cases apart: a comment and an empty line are no event, and `data:`
//?   and an empty line are one without a text. What has no empty line behind it stays in the struct when the body is over. The
//?   server may have died in the middle of it.

// A client reads the body of a streamed answer, and it comes in pieces. Where one ends says nothing: it may be inside a
// character, inside `data: `, between a `\r` and its `\n`, or behind the third event. Write what takes the events out:
//
// - `push(piece)` takes the next bytes and returns the data of all events that are whole now, in their order.
// - A line ends with `\n` or `\r\n`. (The standard knows a lone `\r` as well; here it's a part of the line.)
// - `data:` and what follows on that line is a line of data. A single blank right behind the colon doesn't belong to it,
//   all else does.
// - An event ends with an empty line. Its data are its lines of data, joined by `\n`. One line that is only `data:` makes
//   an event with an empty text; an event without any line of data isn't one.
// - A line that begins with `:` is a comment, and other fields (`id: 7`) are of no interest. Both may be anywhere, inside
//   an event too, and change nothing. Names are exact: `Data:` and `database:` are other fields, and so is ` data:`.
// - Bytes that are no UTF-8 become U+FFFD, as with `String::from_utf8_lossy`.
//
// What has no empty line behind it isn't whole, even if nothing more comes. An empty piece is possible.

pub struct Events {
    //-- starter
    // // The fields are yours to choose.
    //-- solution
    held: Vec<u8>, // a line that isn't whole
    data: Option<String>,
    //-- end
}

impl Events {
    #[allow(clippy::new_without_default)]
    pub fn new() -> Events {
        //-- starter
        // todo!()
        //-- solution
        Events { held: Vec::new(), data: None }
        //-- end
    }

    pub fn push(&mut self, piece: &[u8]) -> Vec<String> {
        //-- starter
        // todo!()
        //-- solution
        let mut events = Vec::new();
        for part in piece.split_inclusive(|&byte| byte == b'\n') {
            self.held.extend_from_slice(part);
            if part.ends_with(b"\n") {
                let line = std::mem::take(&mut self.held);
                events.extend(self.take_line(&String::from_utf8_lossy(&line)));
            }
        }
        events
        //-- end
    }
    //-- solution

    /// A whole line, with its end. An empty one gives the event.
    fn take_line(&mut self, line: &str) -> Option<String> {
        let line = line.strip_suffix('\n').unwrap_or(line);
        let line = line.strip_suffix('\r').unwrap_or(line);
        if line.is_empty() {
            return self.data.take();
        }
        if let Some(more) = line.strip_prefix("data:") {
            let more = more.strip_prefix(' ').unwrap_or(more);
            self.data = Some(match self.data.take() {
                Some(data) => data + "\n" + more,
                None => more.to_string(),
            });
        }
        None
    }
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::{Checked, Failure, Random, call};

    const PIECES: &str = "cut in two pieces, the same bytes give something else";
    const CHARACTER: &str = "a piece ended inside a character, and the character is lost";
    const BETWEEN: &str =
        "a piece ended between \\r and \\n, and they are no line's end any more";
    const EARLY: &str = "an event was told before its empty line had come";
    const LATE: &str = "an event that is whole was held back";
    const AGAIN: &str = "an event has the data of an earlier one as well";
    const SPACE: &str = "data without a blank behind the colon is data as well";
    const KEPT: &str =
        "only one blank behind the colon is not a part of the data: everything else is";
    const COLON: &str = "behind its first colon, a line of data may hold others";
    const LINES: &str =
        "an event may have several lines of data, and each stays a line of its own";
    const CARRIAGE: &str = "a line may end with \\r\\n as well";
    const LONE: &str = "a \\r that is not the end of a line belongs to it";
    const COMMENT: &str = "an event without a line of data is none";
    const EMPTY: &str = "an event whose data is empty is an event";
    const OTHER: &str = "a line that is not exactly `data:` and something changes no event";
    const BYTES: &str =
        "bytes that are no UTF-8 become U+FFFD, and all others stay what they are";
    const SINGLE: &str = "one piece may hold the ends of several events";

    pub fn check<E>(new: fn() -> E, push: fn(&mut E, &[u8]) -> Vec<String>) -> Checked {
        // All at once, so that only the form matters.
        for (body, reason) in bodies() {
            one(&[body], reason, &new, &push)?;
        }
        // Each in two pieces, at every place.
        for (body, _) in bodies() {
            for at in 0..=body.len() {
                let (a, b) = body.split_at(at);
                one(&[a, b], kind_of_cut(a, b), &new, &push)?;
            }
        }
        let all: Vec<u8> = bodies().into_iter().flat_map(|(body, _)| body.to_vec()).collect();
        let bytes: Vec<&[u8]> = all.chunks(1).collect();
        one(&bytes, PIECES, &new, &push)?;
        let mut random = Random::new(92);
        for _ in 0..300 {
            let body = random_body(&mut random);
            let mut pieces: Vec<&[u8]> = Vec::new();
            let mut rest = &body[..];
            while !rest.is_empty() {
                let (piece, behind) = rest.split_at(random.below(rest.len().min(12) + 1));
                pieces.push(piece);
                rest = behind;
            }
            one(&pieces, PIECES, &new, &push)?;
        }
        Ok(())
    }

    /// What is in a body, and what is said where it comes out wrong.
    fn bodies() -> Vec<(&'static [u8], &'static str)> {
        vec![
            (b"data: one\n\n", LATE),
            (b"data: one\n\ndata: two\n\ndata: three\n\n", SINGLE),
            (b"data: {\"content\": \"The: ball\"}\n\ndata: [DONE]\n\n", COLON),
            (b"data:one\n\n", SPACE),
            (b"data:  two blanks, and at the end one \n\n", KEPT),
            (b"data:\ttab\n\n", KEPT),
            (b"data: one\ndata: two\n\n", LINES),
            (b"data: one\ndata:\ndata:  three\n\ndata: four\n\n", LINES),
            (b"data: one\r\n\r\ndata: two\r\ndata: three\r\n\r\n", CARRIAGE),
            (b"data: one\r\n\ndata: two\n\r\n", CARRIAGE),
            (b"data: one\rtwo\n\ndata: \r three\r\r\n\r\n", LONE),
            (b"data: one\n\r\r\ndata: two\n\n", LONE),
            (b": still here\n\ndata: one\n\n", COMMENT),
            (b"\n\n\ndata: one\n\n\n\n", COMMENT),
            (b"id: 7\n\ndata: one\n\n:\n\n", COMMENT),
            (b"data:\n\n", EMPTY),
            (b"data: \n\ndata:\r\n\r\n", EMPTY),
            (b"data:\ndata: two\n\ndata: three\ndata:\n\n", EMPTY),
            (b"data: one\n: still here\ndata: two\n\n", OTHER),
            (b":data: no\nevent: add\ndata: one\nid: 7\n\n", OTHER),
            (b"database: no\nData: no\n data: no\ndata : no\ndata: one\n\n", OTHER),
            ("data: é你🦀\n\ndata:\u{a0}nobreak\u{a0}\n\n".as_bytes(), BYTES),
            ("data: \u{85}one\u{2028}two\u{feff}\n\ndata: \0\x0b\x0c\n\n".as_bytes(), BYTES),
            (b"data: a\xffb\xe4\xbd\n\ndata: c\xf0\n\n", BYTES),
            (b"data: one\n\ndata: two\n", EARLY),
            (b"data: one\n\ndata: two", EARLY),
            (b"data: one\r\n\r", EARLY),
        ]
    }

    fn kind_of_cut(before: &[u8], behind: &[u8]) -> &'static str {
        match (before.last(), behind.first()) {
            (Some(b'\r'), Some(b'\n')) => BETWEEN,
            (_, Some(0x80..=0xbf)) => CHARACTER,
            _ => PIECES,
        }
    }

    fn random_body(random: &mut Random) -> Vec<u8> {
        let mut body = Vec::new();
        for _ in 0..random.below(12) {
            let starts = ["data: ", "data:", "data:  ", ":", "id: ", "", ""];
            let start = starts[random.below(starts.len())];
            body.extend_from_slice(start.as_bytes());
            if !start.is_empty() {
                for _ in 0..random.below(4) {
                    let texts = ["a", " ", "é", "🦀", "data:", "\r", ":"];
                    body.extend_from_slice(texts[random.below(texts.len())].as_bytes());
                }
            }
            body.extend_from_slice(["\n", "\n", "\r\n"][random.below(3)].as_bytes());
        }
        body
    }

    fn one<E>(
        pieces: &[&[u8]],
        reason: &'static str,
        new: &impl Fn() -> E,
        push: &impl Fn(&mut E, &[u8]) -> Vec<String>,
    ) -> Checked {
        let mut events = call("a new `Events`", new)?;
        let (mut body, mut found) = (Vec::new(), Vec::new());
        for (index, piece) in pieces.iter().enumerate() {
            let case = match pieces.len() {
                1 => format!("push({})", shown(piece)),
                _ => format!("push({}), after {}", shown(piece), shown(&body)),
            };
            body.extend_from_slice(piece);
            let (expected, before) = (by_lines(&body), found.len());
            let pushed = call(&case, || push(&mut events, piece));
            found.extend(
                pushed.map_err(|failure| stopped(failure, &expected[before..], reason))?,
            );
            if found == expected {
                continue;
            }
            let failure = Failure::new(
                &case,
                format!("{:?}", expected.get(before..).unwrap_or_default()),
                format!("{:?}", &found[before..]),
            );
            return Err(match likely(&expected, &found, index + 1 < pieces.len(), reason) {
                Some(reason) => failure.likely(reason),
                None => failure,
            });
        }
        Ok(())
    }

    fn stopped(failure: Failure, expected: &[String], reason: &'static str) -> Failure {
        let about_text =
            ["char boundary", "Utf8Error"].iter().any(|word| failure.found.contains(word));
        match (failure.unwritten, about_text) {
            (true, _) => failure,
            (_, true) if reason == CHARACTER || reason == BYTES => {
                Failure { expected: format!("{expected:?}"), ..failure }.likely(reason)
            }
            _ => Failure { expected: format!("{expected:?}"), ..failure },
        }
    }

    /// `more`: another piece was still to come.
    fn likely(
        expected: &[String],
        found: &[String],
        more: bool,
        reason: &'static str,
    ) -> Option<&'static str> {
        let again = |all: &[String]| matches!(all, [a, b, ..] if !a.is_empty() && b.len() > a.len() && b.starts_with(a.as_str()));
        if found.len() == expected.len() && again(found) && !again(expected) {
            return Some(AGAIN);
        }
        if more && found.len() > expected.len() && found.starts_with(expected) {
            return Some(EARLY);
        }
        let does_fit = match reason {
            LATE => found.is_empty(),
            EARLY => found.len() > expected.len(),
            _ => true, // Nothing else is new in this body, or about this cut.
        };
        does_fit.then_some(reason)
    }

    /// The events of a whole body, which is looked at from its end: what is behind the last `\n` is no line.
    fn by_lines(body: &[u8]) -> Vec<String> {
        let (mut events, mut lines) = (Vec::new(), Vec::new());
        let whole = body.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        for line in body[..whole].split_inclusive(|&byte| byte == b'\n') {
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            match line.strip_suffix(b"\r").unwrap_or(line) {
                [] if lines.is_empty() => {}
                [] => events.push(std::mem::take(&mut lines).join("\n")),
                [b'd', b'a', b't', b'a', b':', b' ', data @ ..]
                | [b'd', b'a', b't', b'a', b':', data @ ..] => {
                    lines.push(String::from_utf8_lossy(data).into_owned());
                }
                _ => {}
            }
        }
        events
    }

    /// As it would be in a program. Of what was long ago, the end is enough.
    fn shown(bytes: &[u8]) -> String {
        let most = 80;
        let start = bytes.len().saturating_sub(most);
        let mut text = String::new();
        for chunk in bytes[start..].utf8_chunks() {
            text.extend(chunk.valid().escape_debug());
            text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
        }
        let dots = if start > 0 { "..." } else { "" };
        format!("\"{dots}{text}\"")
    }
}
