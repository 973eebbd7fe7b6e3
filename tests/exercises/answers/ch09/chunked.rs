//? title: A body in chunks, and not a byte that could be read differently
//? page: ch09/by-hand.md
//? section: A web server by hand
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
    use exercise_kit::{Checked, Failure, call};
    use std::fmt::Write as _;

    /// The data, and the rest.
    type Apart<'a> = (Vec<u8>, &'a [u8]);

    const SIGN: &str = "a sign was taken for a part of the size";
    const LONG: &str = "a size of nine digits was read as a smaller one";
    const LINE: &str = "a lone \\n was taken for the end of a line";
    const BEHIND: &str = "what is behind the data of a chunk was not looked at";
    const CUT: &str = "the body stops before its end, and was taken for whole";
    const LOOSE: &str = "a body that is not exactly right was taken for one that is";
    const PANIC: &str = "a body that is not whole, or not right, is an error and no panic";

    pub fn check(chunked: for<'a> fn(&'a [u8]) -> Result<Apart<'a>, &'static str>) -> Checked {
        let right_ones: [(&[u8], &[u8], &[u8]); 6] = [
            (b"0\r\n\r\n\n\r", b"", b"\n\r"),
            (
                b"5\r\nhello\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n",
                b"hello",
                b"GET / HTTP/1.1\r\n\r\n",
            ),
            (
                b"A\r\n0\r\n\r\n\r\n\r\n\r\r\na\r\n0123456789\r\n0\r\n\r\n",
                b"0\r\n\r\n\r\n\r\n\r0123456789",
                b"",
            ),
            (b"00000003\r\n\xff\0\x80\r\n00000000\r\n\r\n", b"\xff\0\x80", b""),
            (b"5; a=\"b;c\" \xff\r\nhello\r\n0;end\r\n\r\n", b"hello", b""),
            (b"0\r\nA: b\r\nno colon\r\n \r\n;\xff\r\n\r\nGET", b"", b"GET"),
        ];
        for (body, data, rest) in right_ones {
            one(chunked, body, Some((data.to_vec(), rest)), LOOSE)?;
        }
        for (body, reason) in wrong_ones() {
            one(chunked, body, None, reason)?;
        }
        let long = [&b"10000\r\n"[..], &[b'\n'; 65_536], b"\r\n0\r\n\r\nGET"].concat();
        one(chunked, &long, Some((vec![b'\n'; 65_536], b"GET")), LOOSE)?;
        let whole = b"5\r\nhello\r\n1a;x=1\r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\nA: b\r\n\r\n";
        for end in 0..whole.len() {
            one(chunked, &whole[..end], None, CUT)?;
        }
        // Each byte in turn is another one, and then there is one byte more before it.
        for at in 0..whole.len() {
            for other in b"\r\n \t;+-0fFxg\0\x0b\xa0" {
                let mut body = whole.to_vec();
                body[at] = *other;
                for _ in 0..2 {
                    let expected = super::chunked(&body).ok();
                    one(chunked, &body, expected, LOOSE)?;
                    body = whole.to_vec();
                    body.insert(at, *other);
                }
            }
        }
        Ok(())
    }

    /// Each must be refused.
    fn wrong_ones() -> Vec<(&'static [u8], &'static str)> {
        vec![
            (b"+5\r\nhello\r\n0\r\n\r\n", SIGN),
            (b"5\r\nhello\r\n+0\r\n\r\n", SIGN),
            (b"100000005\r\nhello\r\n0\r\n\r\n", LONG),
            (b"10000000000000005\r\nhello\r\n0\r\n\r\n", LONG),
            (b"5\r\nhello\r\n100000000\r\n\r\n", LONG),
            (b"5\nhello\r\n0\r\n\r\n", LINE),
            (b"5\r\nhello\r\n0\n\r\n", LINE),
            (b"5\r\nhello\r\n0\r\nA: b\n\r\n", LINE),
            (b"5\r\nhello--0\r\n\r\n", BEHIND),
            (b"5\r\nhello\n\n0\r\n\r\n", BEHIND),
            (b"4\r\nhello\r\n0\r\n\r\n", BEHIND),
            (b"", CUT),
            (b"5\r\nhell", CUT),
            (b"ffffffff\r\nhello\r\n0\r\n\r\n", CUT),
            (b"5\r\nhello\r\n0\r\n", CUT),
            (b"5\r\nhello\r\n0\r\nA: b\r\n", CUT),
            (b"\xef\xbc\x95\r\nhello\r\n0\r\n\r\n", LOOSE),
            (b"000000005\r\nhello\r\n0\r\n\r\n", LOOSE),
            (b"5;a\nb\r\nhello\r\n0\r\n\r\n", LOOSE),
        ]
    }

    /// `mistake`: what is likely if a body is taken that must be refused.
    fn one(
        chunked: for<'a> fn(&'a [u8]) -> Result<Apart<'a>, &'static str>,
        body: &[u8],
        expected: Option<Apart>,
        mistake: &'static str,
    ) -> Checked {
        let case = format!("the body \"{}\"", shown(body));
        let found =
            call(&case, || chunked(body).ok()).map_err(|failure| match failure.unwritten {
                true => failure,
                false => Failure { expected: told(&expected), ..failure }.likely(PANIC),
            })?;
        if found == expected {
            return Ok(());
        }
        let failure = Failure::new(&case, told(&expected), told(&found));
        Err(if expected.is_none() { failure.likely(mistake) } else { failure })
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
        for byte in bytes.iter().take(80) {
            write!(text, "{}", byte.escape_ascii()).ok();
        }
        match bytes.len() {
            0..=80 => text,
            length => format!("{text}... ({length} bytes)"),
        }
    }
}
