use exercise_kit::{Checked, Failure, Random, call};

const PIECES: &str = "cut in two pieces, the same bytes give something else";
const CHARACTER: &str = "a piece ended inside a character, and the character is lost";
const BETWEEN: &str = "a piece ended between \\r and \\n, and they are no line's end any more";
const EARLY: &str = "an event was told before its empty line had come";
const LATE: &str = "an event that is whole was held back";
const AGAIN: &str = "an event has the data of an earlier one as well";
const SPACE: &str = "data without a blank behind the colon is data as well";
const KEPT: &str =
    "only one blank behind the colon is not a part of the data: everything else is";
const COLON: &str = "behind its first colon, a line of data may hold others";
const LINES: &str = "an event may have several lines of data, and each stays a line of its own";
const CARRIAGE: &str = "a line may end with \\r\\n as well";
const LONE: &str = "a \\r that is not the end of a line belongs to it";
const COMMENT: &str = "an event without a line of data is none";
const EMPTY: &str = "an event whose data is empty is an event";
const OTHER: &str = "a line that is not exactly `data:` and something changes no event";
const BYTES: &str = "bytes that are no UTF-8 become U+FFFD, and all others stay what they are";
const SINGLE: &str = "one piece may hold the ends of several events";

pub fn check<E>(new: impl Fn() -> E, push: impl Fn(&mut E, &[u8]) -> Vec<String>) -> Checked {
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
        found.extend(pushed.map_err(|failure| stopped(failure, &expected[before..], reason))?);
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
