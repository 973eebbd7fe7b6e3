//? title: A body in chunks, and not a byte that could be read differently
//? page: ch09/by-hand.md
//? section: By hand
//? level: core
//? minutes: 45
//? call: check(chunked)
//? hint 1: Two kinds of things alternate: lines, which end with CRLF, and data, whose length you know. Write a function that cuts one line off the front, and be sure what it does with a `\r` or a `\n` that is only half of a line's end.
//? hint 2: `u32::from_str_radix` accepts a `+`, and `trim` accepts what isn't there: look at each byte of the size yourself, `is_ascii_hexdigit` says whether it's one. Count the digits before you compute. And ask for a piece of the body with `get` or `split_at_checked`, which answer `None` where `[..]` panics.
//? hint 3: A line: `let end = rest.iter().position(|byte| b"\r\n".contains(byte))`, and at `end` there has to be a `\r` with a `\n` behind it. A size: the line up to its first `;`, 1 to 8 bytes, all of them digits, then `from_str_radix(size, 16)` can't go wrong. The loop: read a line and its size; at 0, read lines until one is empty and return; otherwise take so many bytes, and then two more that have to be `\r\n`.
//? why: Where a body ends decides where the next request begins. If a proxy in front of a server and the server itself disagree
//?   about that by a single byte, what one of them takes for data is a request for the other, with whatever path and headers the
//?   sender has written there. It takes no more than a `+`, a blank, a lone `\n` in an extension, or a size beyond 32 bits; each
//?   of them has been such a hole in some server. So a reader that is friendly to what is nearly right is a dangerous one here:
//?   what the grammar doesn't have is refused, and the connection closed. The first `\r` or `\n` of a line has to be its end.
//?   That one rule deals with all halves of line ends. Eight digits fit 32 bits, so nothing overflows, and no length is believed
//?   before the bytes are there.

// A client that doesn't know yet how long its body will be sends it in chunks:
//
// ```text
// 6\r\n            how many bytes come, in hexadecimal
// Where \r\n       the bytes, and a CRLF behind them
// A;x=1\r\n        after a `;` there may be an extension
// is it now?\r\n
// 0\r\n            the last chunk has none
// Seen: yes\r\n    trailers: any number of lines, mostly none
// \r\n             an empty line ends the body
// ```
//
// Take such a body apart: return its data, all chunks together, and what comes behind its end, where the next request
// begins. What isn't exactly so is an error, in words of your own, and nothing may panic:
//
// - A size is 1 to 8 hexadecimal digits of either case and nothing else: no sign, no blank, no `0x`. Zeros in front are
//   digits too.
// - An extension begins with `;` right behind the size and ends with the line. (HTTP would tolerate blanks before it;
//   this reader doesn't.) Ignore it, and ignore what the trailers say.
// - A line ends with `\r\n`. Data is whatever it is, but in a line, a `\r` without its `\n` or a `\n` without its `\r` is
//   an error, in extensions and trailers as well.
// - Behind the data of each chunk comes `\r\n` and nothing else.
// - A body that stops before its empty line is an error.

/// The data, and the rest.
type Apart<'a> = (Vec<u8>, &'a [u8]);

pub fn chunked(body: &[u8]) -> Result<Apart<'_>, &'static str> {
    //-- starter
    // todo!()
    //-- solution
    let (mut data, mut rest) = (Vec::new(), body);
    loop {
        let (line, behind) = cut_line(rest)?;
        let size = size_of(line)?;
        rest = behind;
        if size == 0 {
            break;
        }
        let (chunk, behind) = rest.split_at_checked(size).ok_or("a chunk isn't whole")?;
        data.extend_from_slice(chunk);
        rest = behind.strip_prefix(b"\r\n").ok_or("no CRLF behind a chunk")?;
    }
    loop {
        let (trailer, behind) = cut_line(rest)?;
        rest = behind;
        if trailer.is_empty() {
            return Ok((data, rest));
        }
    }
    //-- end
}
//-- solution

// The first of either byte is the end of the line, so it has to begin a CRLF.
fn cut_line(text: &[u8]) -> Result<(&[u8], &[u8]), &'static str> {
    let end =
        text.iter().position(|byte| b"\r\n".contains(byte)).ok_or("a line isn't whole")?;
    let (line, behind) = text.split_at(end);
    Ok((line, behind.strip_prefix(b"\r\n").ok_or("half of a CRLF")?))
}

fn size_of(line: &[u8]) -> Result<usize, &'static str> {
    let digits = line.split(|&byte| byte == b';').next().unwrap_or_default();
    if !(1..=8).contains(&digits.len()) || !digits.iter().all(u8::is_ascii_hexdigit) {
        return Err("a size is 1 to 8 hexadecimal digits");
    }
    let digits = str::from_utf8(digits).map_err(|_| "digits are ASCII")?;
    let size = u32::from_str_radix(digits, 16).map_err(|_| "eight digits are 32 bits")?;
    usize::try_from(size).map_err(|_| "more than this machine has")
}
//-- end

//-- check
pub mod check {
    use exercise_kit::{Checked, Failure, Random, call};
    use std::fmt::Write as _;

    /// The data, and the rest.
    type Apart<'a> = (Vec<u8>, &'a [u8]);

    const WHOLE: &str = "this body is as it should be, and was refused";
    const DATA: &str = "what is inside the data is nobody's business: only its length counts";
    const TRAILERS: &str = "what comes behind the body begins after the empty line, not before";
    const REST: &str =
        "what comes behind the body's end belongs to somebody else: it is given back";
    const JUNK: &str = "something other than digits was part of a size: another program sees another size there";
    const SIGN: &str = "a sign was taken for a part of the size";
    const BLANK: &str = "a blank beside the size was overlooked";
    const NONE: &str = "a size without a digit was taken for a 0";
    const LONG: &str = "a size of nine digits was read as a smaller one";
    const DIGITS: &str = "a size has eight digits at most, zeros included";
    const LINE: &str = "a lone \\n was taken for the end of a line";
    const CARRIAGE: &str = "a lone \\r was taken for the end of a line";
    const INSIDE: &str = "half of a line's end was overlooked inside a line";
    const BEHIND: &str = "what is behind the data of a chunk was not looked at";
    const CUT: &str = "the body stops before its end, and was taken for whole";
    const LOOSE: &str = "a body that is not exactly right was taken for one that is";
    const PANIC: &str = "a body that is not whole, or not right, is an error and no panic";

    pub fn check(chunked: for<'a> fn(&'a [u8]) -> Result<Apart<'a>, &'static str>) -> Checked {
        for (body, data, rest, mistake) in right_ones() {
            one(&chunked, body, Some((data.to_vec(), rest)), mistake)?;
        }
        for (body, reason) in wrong_ones() {
            one(&chunked, body, None, reason)?;
        }
        let long = [&b"10000\r\n"[..], &[b'\n'; 65_536], b"\r\n0\r\n\r\nGET"].concat();
        one(&chunked, &long, Some((vec![b'\n'; 65_536], b"GET")), DATA)?;
        let whole = b"5\r\nhello\r\n1a;x=1\r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\nA: b\r\n\r\n";
        for end in 0..whole.len() {
            one(&chunked, &whole[..end], None, CUT)?;
        }
        changed(&chunked, whole)
    }

    /// Each byte of a body in turn is another one.
    fn changed(
        chunked: &impl for<'a> Fn(&'a [u8]) -> Result<Apart<'a>, &'static str>,
        whole: &[u8],
    ) -> Checked {
        let mut random = Random::new(91);
        for at in 0..whole.len() {
            for other in b"\r\n \t;+-0fFxg\0\x0b\xa0" {
                let mut body = whole.to_vec();
                body[at] = *other;
                let expected = by_bytes(&body).map(|(data, rest)| (data, &body[rest..]));
                one(chunked, &body, expected, LOOSE)?;
                // And one byte more, somewhere before it.
                body.insert(random.below(at + 1), *other);
                let expected = by_bytes(&body).map(|(data, rest)| (data, &body[rest..]));
                one(chunked, &body, expected, LOOSE)?;
            }
        }
        Ok(())
    }

    /// A body, its data, what is behind it, and what is wrong where something else comes out.
    type Right = (&'static [u8], &'static [u8], &'static [u8], &'static str);

    fn right_ones() -> Vec<Right> {
        vec![
            (b"5\r\nhello\r\n0\r\n\r\n", b"hello", b"", WHOLE),
            (b"0\r\n\r\n", b"", b"", WHOLE),
            (b"5\r\nhello\r\n2\r\n, \r\n5\r\nworld\r\n0\r\n\r\n", b"hello, world", b"", WHOLE),
            (b"a\r\n0123456789\r\n0\r\n\r\n", b"0123456789", b"", WHOLE),
            (b"A\r\n0123456789\r\n0\r\n\r\n", b"0123456789", b"", WHOLE),
            (
                b"1a\r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\n\r\n",
                b"abcdefghijklmnopqrstuvwxyz",
                b"",
                WHOLE,
            ),
            (b"00000005\r\nhello\r\n00\r\n\r\n", b"hello", b"", WHOLE),
            (b"5\r\nhello\r\n00000000\r\n\r\n", b"hello", b"", WHOLE),
            (b"4\r\n\r\n\r\n\r\n0\r\n\r\n", b"\r\n\r\n", b"", DATA),
            (b"6\r\na\r\n0\r\n\r\n0\r\n\r\n", b"a\r\n0\r\n", b"", DATA),
            (b"2\r\n\r\r\r\n2\r\n\n\n\r\n0\r\n\r\n", b"\r\r\n\n", b"", DATA),
            (b"3\r\n\xff\0\x80\r\n0\r\n\r\n", b"\xff\0\x80", b"", DATA),
            (b"5;a=b\r\nhello\r\n0;end\r\n\r\n", b"hello", b"", WHOLE),
            (b"5;\r\nhello\r\n0\r\n\r\n", b"hello", b"", WHOLE),
            (b"5; a=\"b;c\" \xff\r\nhello\r\n0\r\n\r\n", b"hello", b"", WHOLE),
            (
                b"5\r\nhello\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n",
                b"hello",
                b"GET / HTTP/1.1\r\n\r\n",
                REST,
            ),
            (b"0\r\n\r\n\r\n", b"", b"\r\n", REST),
            (b"0\r\n\r\n\n\r", b"", b"\n\r", REST),
            (b"5\r\nhello\r\n0\r\nSeen: yes\r\n\r\n", b"hello", b"", TRAILERS),
            (b"0\r\nA: b\r\nno colon\r\n \r\n;\xff\r\n\r\nGET", b"", b"GET", TRAILERS),
        ]
    }

    /// Each must be refused.
    fn wrong_ones() -> Vec<(&'static [u8], &'static str)> {
        vec![
            (b"5x\r\nhello\r\n0\r\n\r\n", JUNK),
            (b"0x5\r\nhello\r\n0\r\n\r\n", JUNK),
            (b"0x5\r\n\r\n", JUNK),
            (b"5,\r\nhello\r\n0\r\n\r\n", JUNK),
            (b"g\r\nhello\r\n0\r\n\r\n", JUNK),
            (b"1_0\r\n0123456789abcdef\r\n0\r\n\r\n", JUNK),
            (b"\xef\xbc\x95\r\nhello\r\n0\r\n\r\n", JUNK),
            (b"5\xff\r\nhello\r\n0\r\n\r\n", JUNK),
            (b"5\0\r\nhello\r\n0\r\n\r\n", JUNK),
            (b"+5\r\nhello\r\n0\r\n\r\n", SIGN),
            (b"5\r\nhello\r\n+0\r\n\r\n", SIGN),
            (b"-5\r\nhello\r\n0\r\n\r\n", SIGN),
            (b"5\r\nhello\r\n-0\r\n\r\n", SIGN),
            (b" 5\r\nhello\r\n0\r\n\r\n", BLANK),
            (b"5 \r\nhello\r\n0\r\n\r\n", BLANK),
            (b"5\t\r\nhello\r\n0\r\n\r\n", BLANK),
            (b"5 ;a\r\nhello\r\n0\r\n\r\n", BLANK),
            (b"\x0b5\r\nhello\r\n0\r\n\r\n", BLANK),
            (b"\r\n\r\n", NONE),
            (b"5\r\nhello\r\n\r\n\r\n", NONE),
            (b";a\r\n\r\n", NONE),
            (b"\r\n5\r\nhello\r\n0\r\n\r\n", NONE),
            (b"100000005\r\nhello\r\n0\r\n\r\n", LONG),
            (b"10000000000000005\r\nhello\r\n0\r\n\r\n", LONG),
            (b"5\r\nhello\r\n100000000\r\n\r\n", LONG),
            (b"ffffffffffffffffffffffffffffffffffffffff\r\nhello\r\n0\r\n\r\n", LONG),
            (b"000000005\r\nhello\r\n0\r\n\r\n", DIGITS),
            (b"5\r\nhello\r\n000000000\r\n\r\n", DIGITS),
            (b"5\nhello\r\n0\r\n\r\n", LINE),
            (b"5\r\nhello\r\n0\n\r\n", LINE),
            (b"5\r\nhello\r\n0\r\n\n", LINE),
            (b"5\r\nhello\r\n0\r\nA: b\n\r\n", LINE),
            (b"5\rhello\r\n0\r\n\r\n", CARRIAGE),
            (b"5\r\nhello\r\n0\r\n\r", CARRIAGE),
            (b"5\r\r\nhello\r\n0\r\n\r\n", CARRIAGE),
            (b"5;a\nb\r\nhello\r\n0\r\n\r\n", INSIDE),
            (b"5;a\rb\r\nhello\r\n0\r\n\r\n", INSIDE),
            (b"5;\r\r\nhello\r\n0\r\n\r\n", INSIDE),
            (b"5\r\nhello\r\n0;\n\r\n\r\n", INSIDE),
            (b"0\r\nA: b\nC: d\r\n\r\n", INSIDE),
            (b"0\r\nA: b\rC: d\r\n\r\n", INSIDE),
            (b"0\r\n\rA: b\r\n\r\n", INSIDE),
            (b"0\r\n\n\r\n\r\n", INSIDE),
            (b"5\r\nhello--0\r\n\r\n", BEHIND),
            (b"5\r\nhello\n\n0\r\n\r\n", BEHIND),
            (b"5\r\nhello\n0\r\n\r\n", BEHIND),
            (b"5\r\nhello0\r\n\r\n", BEHIND),
            (b"5\r\nhello!\r\n0\r\n\r\n", BEHIND),
            (b"4\r\nhello\r\n0\r\n\r\n", BEHIND),
            (b"5\r\nhello \r\n0\r\n\r\n", BEHIND),
            (b"", CUT),
            (b"5\r\nhello\r\n", CUT),
            (b"5\r\nhell", CUT),
            (b"ffffffff\r\nhello\r\n0\r\n\r\n", CUT),
            (b"7fffffff\r\nhello\r\n0\r\n\r\n", CUT),
            (b"5\r\nhello\r\n0\r\n", CUT),
            (b"5\r\nhello\r\n0\r\nA: b\r\n", CUT),
        ]
    }

    fn one(
        chunked: &impl for<'a> Fn(&'a [u8]) -> Result<Apart<'a>, &'static str>,
        body: &[u8],
        expected: Option<Apart>,
        mistake: &'static str,
    ) -> Checked {
        let case = format!("the body \"{}\"", shown(body));
        let found =
            call(&case, || chunked(body)).map_err(|failure| match failure.unwritten {
                true => failure,
                false => Failure { expected: told(&expected), ..failure }.likely(PANIC),
            })?;
        let found = found.ok();
        if found == expected {
            return Ok(());
        }
        let failure = Failure::new(&case, told(&expected), told(&found));
        let reason = match (&expected, &found) {
            (Some(_), None) if mistake != DATA && mistake != TRAILERS => WHOLE,
            (Some((data, _)), Some((other, _))) if data == other && mistake != TRAILERS => REST,
            (Some(_), Some(_)) if mistake == WHOLE => return Err(failure),
            _ => mistake,
        };
        Err(failure.likely(reason))
    }

    fn told(apart: &Option<Apart>) -> String {
        match apart {
            None => "an error".into(),
            Some((data, rest)) => {
                format!("the data \"{}\" and the rest \"{}\"", shown(data), shown(rest))
            }
        }
    }

    /// As it would be in a program, and not too long.
    fn shown(bytes: &[u8]) -> String {
        let mut text = String::new();
        let most = 80;
        for byte in bytes.iter().take(most) {
            write!(text, "{}", byte.escape_ascii()).ok();
        }
        match bytes.len() > most {
            true => format!("{text}... ({} bytes)", bytes.len()),
            false => text,
        }
    }

    /// Byte by byte: the data, and where the rest begins.
    fn by_bytes(body: &[u8]) -> Option<(Vec<u8>, usize)> {
        let (mut data, mut at) = (Vec::new(), 0);
        loop {
            let (mut size, mut digits) = (0u64, 0);
            while let Some(digit) = body.get(at).and_then(|&byte| char::from(byte).to_digit(16))
            {
                (size, digits, at) = (size * 16 + u64::from(digit), digits + 1, at + 1);
                if digits > 8 {
                    return None;
                }
            }
            if digits == 0 {
                return None;
            }
            if body.get(at) == Some(&b';') {
                at = end_of_line(body, at)?;
            }
            at = crlf(body, at)?;
            if size == 0 {
                break;
            }
            for _ in 0..size {
                data.push(*body.get(at)?);
                at += 1;
            }
            at = crlf(body, at)?;
        }
        loop {
            let end = end_of_line(body, at)?;
            let was_empty = end == at;
            at = crlf(body, end)?;
            if was_empty {
                return Some((data, at));
            }
        }
    }

    fn end_of_line(body: &[u8], from: usize) -> Option<usize> {
        (from..body.len()).find(|&at| matches!(body[at], b'\r' | b'\n'))
    }

    fn crlf(body: &[u8], at: usize) -> Option<usize> {
        body.get(at..)?.starts_with(b"\r\n").then_some(at + 2)
    }
}
