//? title: Print text as it comes, but never half a character
//? page: part0/stream.md
//? section: Half a character
//? level: deep
//? minutes: 60
//? call: check(answer::Holder::new, answer::Holder::push, answer::Holder::finish)
//? hint 1: Keep the bytes that are not printed yet. After a push there are three kinds of rest: whole characters, the beginning of one, and bytes that can never be a character.
//? hint 2: `std::str::from_utf8` tells them apart: its error's `valid_up_to()` ends the whole characters; `error_len()` is None for a beginning that may still become whole, and Some(n) for n bytes that never will.
//? hint 3: Loop: print what is valid; on Some(n) print U+FFFD, drop the n bytes and go on; on None keep the rest and stop. `finish` is `String::from_utf8_lossy` of what is kept.
//? why: One of the four bytes of an emoji may come alone. Printed at once it would be a replacement character, which nothing
//?   can take back. Holding everything would be safe, but it would not stream, so the holder keeps at most three bytes. It
//?   must not wait for bytes that can never become a character: everything after them would be stuck.

//! A model's tokens are bytes, and a character may be spread over several tokens. Write a holder that is given the bytes
//! as they come:
//!
//! - `push(bytes)` returns all text that is complete now. The beginning of a character is held back until it is whole.
//! - Bytes that can never become a character are returned as U+FFFD, as `String::from_utf8_lossy` would, without waiting.
//! - `finish()` returns what is still held (an unfinished character, lossily), and leaves nothing behind.
//!
//! All returned pieces together are `String::from_utf8_lossy` of all bytes together.

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
