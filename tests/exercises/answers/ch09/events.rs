//? title: Events out of pieces that are cut anywhere
//? page: ch09/streams.md
//? section: Streaming
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
    const KEPT: &str =
        "only one blank behind the colon is not a part of the data: everything else is";
    const COMMENT: &str = "an event without a line of data is none";
    const EMPTY: &str = "an empty line of data is a line like the others: what joins it to the next one is a \\n";

    pub fn check<E>(new: fn() -> E, push: fn(&mut E, &[u8]) -> Vec<String>) -> Checked {
        // All at once, so that only the form matters.
        for (body, reason) in bodies() {
            one(&[body], reason, new, push)?;
        }
        // Each in two pieces, at every place.
        for (body, _) in bodies() {
            for at in 0..=body.len() {
                let (a, b) = body.split_at(at);
                let kind = match (a.last(), b.first()) {
                    (Some(b'\r'), Some(b'\n')) => BETWEEN,
                    (_, Some(0x80..=0xbf)) => CHARACTER,
                    _ => PIECES,
                };
                one(&[a, b], Some(kind), new, push)?;
            }
        }
        let all: Vec<u8> = bodies().into_iter().flat_map(|(body, _)| body.to_vec()).collect();
        let bytes: Vec<&[u8]> = all.chunks(1).collect();
        one(&bytes, Some(PIECES), new, push)?;
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
            one(&pieces, Some(PIECES), new, push)?;
        }
        Ok(())
    }

    /// What is in a body, and what is likely where it comes out wrong.
    fn bodies() -> Vec<(&'static [u8], Option<&'static str>)> {
        vec![
            (b"data: one\n\n", None),
            (b"data: one\n\ndata: two\n\ndata: three\n\n", None),
            (b"data: {\"content\": \"The: ball\"}\n\ndata: [DONE]\n\n", None),
            (b"data:one\n\n", None),
            (b"data:  two blanks, and at the end one \n\n", Some(KEPT)),
            (b"data:\ttab\n\n", Some(KEPT)),
            (b"data: one\ndata: two\ndata:\ndata:  three\n\ndata: four\n\n", None),
            (b"data: one\r\n\r\ndata: two\r\ndata: three\n\r\n", None),
            (b"data: one\rtwo\n\ndata: \r three\r\r\n\r\n", None),
            (b"data: one\n\r\r\ndata: two\n\n", None),
            (b": still here\n\ndata: one\n\n", Some(COMMENT)),
            (b"\n\n\ndata: one\n\n\n\n", Some(COMMENT)),
            (b"data:\n\n", None),
            (b"data: \n\ndata:\r\n\r\n", None),
            (b"data:\ndata: two\n\ndata: three\ndata:\n\n", Some(EMPTY)),
            (b"data: one\n: still here\ndata: two\n\n", None),
            (b":data: no\nevent: add\ndata: one\nid: 7\n\n", None),
            (b"database: no\nData: no\n data: no\ndata : no\ndata: one\n\n", None),
            ("data: é你🦀\n\ndata:\u{a0}nobreak\u{a0}\n\n".as_bytes(), None),
            ("data: \u{85}one\u{2028}two\u{feff}\n\ndata: \0\x0b\x0c\n\n".as_bytes(), None),
            (b"data: a\xffb\xe4\xbd\n\ndata: c\xf0\n\n", None),
            (b"data: one\n\ndata: two\n", None),
            (b"data: one\r\n\r", None),
        ]
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
        reason: Option<&'static str>,
        new: fn() -> E,
        push: fn(&mut E, &[u8]) -> Vec<String>,
    ) -> Checked {
        let mut events = call("a new `Events`", new)?;
        let (mut body, mut found) = (Vec::new(), Vec::new());
        for piece in pieces {
            let case = match pieces.len() {
                1 => format!("push({})", shown(piece)),
                _ => format!("push({}), after {}", shown(piece), shown(&body)),
            };
            body.extend_from_slice(piece);
            let (expected, before) = (by_lines(&body), found.len());
            let told = format!("{:?}", expected.get(before..).unwrap_or_default());
            match call(&case, || push(&mut events, piece)) {
                Ok(more) => found.extend(more),
                Err(failure) => return Err(Failure { expected: told, ..failure }),
            }
            if found != expected {
                let failure = Failure::new(&case, told, format!("{:?}", &found[before..]));
                return Err(failure.likely(reason.unwrap_or_default()));
            }
        }
        Ok(())
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
        let start = bytes.len().saturating_sub(80);
        let mut text = String::new();
        for chunk in bytes[start..].utf8_chunks() {
            text.extend(chunk.valid().escape_debug());
            text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
        }
        let dots = if start > 0 { "..." } else { "" };
        format!("\"{dots}{text}\"")
    }
}
