//? title: Print text as it comes, but never half a character
//? page: part0/stream.md
//? section: Half a character
//? level: deep
//? minutes: 60
//? call: check(Holder::new, Holder::push, Holder::finish)
//? hint 1: Keep the bytes that are not printed yet. After a push there are three kinds of rest: whole characters, the beginning of one, and bytes that can never be a character.
//? hint 2: `std::str::from_utf8` tells them apart: its error's `valid_up_to()` ends the whole characters; `error_len()` is None for a beginning that may still become whole, and Some(n) for n bytes that never will.
//? hint 3: Loop: print what is valid; on Some(n) print U+FFFD, drop the n bytes and go on; on None keep the rest and stop. `finish` is `String::from_utf8_lossy` of what is kept.
//? why: One of the four bytes of an emoji may come alone. Printed at once it would be a replacement character, which nothing
//?   can take back. Holding everything would be safe, but it would not stream, so the holder keeps at most three bytes. It
//?   must not wait for bytes that can never become a character: everything after them would be stuck.

// A model's tokens are bytes, and a character may be spread over several tokens. Write a holder that is given the bytes
// as they come:
//
// - `push(bytes)` returns all text that is complete now. The beginning of a character is held back until it is whole.
// - Bytes that can never become a character are returned as U+FFFD, as `String::from_utf8_lossy` would, without waiting.
// - `finish()` returns what is still held (an unfinished character, lossily), and leaves nothing behind.
//
// All returned pieces together are `String::from_utf8_lossy` of all bytes together.

pub struct Holder {
    //-- starter
    // // The fields are yours to choose.
    //-- solution
    held: Vec<u8>,
    //-- end
}

impl Holder {
    #[allow(clippy::new_without_default)]
    pub fn new() -> Holder {
        //-- starter
        // todo!()
        //-- solution
        Holder { held: Vec::new() }
        //-- end
    }

    pub fn push(&mut self, bytes: &[u8]) -> String {
        //-- starter
        // todo!()
        //-- solution
        self.held.extend_from_slice(bytes);
        let mut text = String::new();
        loop {
            let (valid, bad) = match std::str::from_utf8(&self.held) {
                Ok(_) => (self.held.len(), Some(0)),
                Err(error) => (error.valid_up_to(), error.error_len()),
            };
            text.push_str(&String::from_utf8_lossy(&self.held[..valid]));
            self.held.drain(..valid);
            match bad {
                // Nothing is left, or the beginning of a character.
                Some(0) | None => return text,
                Some(length) => {
                    text.push(char::REPLACEMENT_CHARACTER);
                    self.held.drain(..length);
                }
            }
        }
        //-- end
    }

    pub fn finish(&mut self) -> String {
        //-- starter
        // todo!()
        //-- solution
        let rest = std::mem::take(&mut self.held);
        String::from_utf8_lossy(&rest).into_owned()
        //-- end
    }
}

//-- check
pub mod check {
    use exercise_kit::{Checked, Failure, Random, call, same};

    pub fn check<H>(
        new: fn() -> H,
        push: fn(&mut H, &[u8]) -> String,
        finish: fn(&mut H) -> String,
    ) -> Checked {
        let cases: [&[&[u8]]; 13] = [
            &[b"a", b"bc"],
            &[b"caf", &[0xc3], &[0xa9], b"!"],
            &[&[0xf0], &[0x9f], &[0xa6], &[0x80]],
            &[b"x\xe4\xbd", b"\xa0y"],
            &[b"a\xffb", b"c"],
            &[b"\xe4\xbdz", b"c"],
            &[b"a\xe4\xbd"],
            &[b"\x80\x80"],
            &[b"", b"\xf0\x9f", b"", b"a"],
            // No character begins like this, whatever its first byte promises.
            &[b"\xed\xa0", b"\x80"],
            &[b"\xe0\x80", b"\x80"],
            &[b"\xf4\x90", b"\x80\x80"],
            &[b"\xef\xbb\xbfa\0\r\n", b"\xef\xbb\xbf\x7f"],
        ];
        for pieces in cases {
            one(pieces, new, push, finish)?;
        }
        let mut random = Random::new(16);
        for _ in 0..200 {
            // Characters of one to four bytes, a stray byte now and then, cut anywhere.
            let mut bytes = Vec::new();
            for _ in 0..random.below(8) {
                let choices = ["a", "é", "你", "🦀"];
                bytes.extend_from_slice(choices[random.below(4)].as_bytes());
                if random.below(6) == 0 {
                    bytes.push(random.bits() as u8);
                }
            }
            let mut pieces: Vec<&[u8]> = Vec::new();
            let mut rest = &bytes[..];
            while !rest.is_empty() {
                let (piece, behind) = rest.split_at(1 + random.below(rest.len().min(3)));
                pieces.push(piece);
                rest = behind;
            }
            one(&pieces, new, push, finish)?;
        }
        let case = "push 10000 times \"é\" at once";
        let (mut holder, text) = (call("a new holder", new)?, "é".repeat(10_000));
        let found = call(case, || push(&mut holder, text.as_bytes()))?;
        same(case, &text.len(), &found.len(), &[])
    }

    fn one<H>(
        pieces: &[&[u8]],
        new: fn() -> H,
        push: fn(&mut H, &[u8]) -> String,
        finish: fn(&mut H) -> String,
    ) -> Checked {
        let mut holder = call("a new holder", new)?;
        let mut all = Vec::new();
        let mut found = String::new();
        for (index, piece) in pieces.iter().enumerate() {
            all.extend_from_slice(piece);
            let case = format!("push {piece:02x?}, number {index} of {pieces:02x?}");
            let before = found.len();
            found += &call(&case, || push(&mut holder, piece))?;
            let expected = complete(&all);
            if found == expected {
                continue;
            }
            let reason = if expected.starts_with(&found) {
                match expected[found.len()..].starts_with('\u{fffd}') {
                    true => {
                        "these bytes can never become a character: waiting holds back all that follows"
                    }
                    false => "this text is complete, and was held back",
                }
            } else if found == expected.replace('\u{fffd}', "") {
                "bytes that are no character disappeared: each is shown as U+FFFD"
            } else {
                "half a character was printed as U+FFFD: hold it back until it is whole"
            };
            let expected = format!("{:?}", expected.get(before..).unwrap_or_default());
            let failure = Failure::new(&case, expected, format!("{:?}", &found[before..]));
            return Err(failure.likely(reason));
        }
        let case = format!("finish() after {pieces:02x?}");
        let before = found.len();
        found += &call(&case, || finish(&mut holder))?;
        let reason = "finish() lost what was still held: half a character is printed lossily";
        let lost = (reason, found[..before].to_string());
        same(&case, &String::from_utf8_lossy(&all).into_owned(), &found, &[lost])?;
        let again = call(&case, || finish(&mut holder))?;
        same(&format!("{case}, a second time"), &String::new(), &again, &[])
    }

    /// What may be printed after these bytes: everything but a beginning that could still become whole.
    fn complete(bytes: &[u8]) -> String {
        let begins = |tail: &[u8]| {
            let error = std::str::from_utf8(tail).err();
            error.is_some_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
        };
        let longest = 3.min(bytes.len());
        let held = (1..=longest).rev().find(|n| begins(&bytes[bytes.len() - n..])).unwrap_or(0);
        String::from_utf8_lossy(&bytes[..bytes.len() - held]).into_owned()
    }
}
