//? title: Events out of pieces that are cut anywhere
//? page: ch09/streams.md
//? section: As it comes
//? level: core
//? minutes: 40
//? call: check(answer::Events::new, answer::Events::push)
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

//! A client reads the body of a streamed answer, and it comes in pieces. Where one ends says nothing: it may be inside a
//! character, inside `data: `, between a `\r` and its `\n`, or behind the third event. Write what takes the events out:
//!
//! - `push(piece)` takes the next bytes and returns the data of all events that are whole now, in their order.
//! - A line ends with `\n` or `\r\n`. (The standard knows a lone `\r` as well; here it's a part of the line.)
//! - `data:` and what follows on that line is a line of data. A single blank right behind the colon doesn't belong to it,
//!   all else does.
//! - An event ends with an empty line. Its data are its lines of data, joined by `\n`. One line that is only `data:` makes
//!   an event with an empty text; an event without any line of data isn't one.
//! - A line that begins with `:` is a comment, and other fields (`id: 7`) are of no interest. Both may be anywhere, inside
//!   an event too, and change nothing. Names are exact: `Data:` and `database:` are other fields, and so is ` data:`.
//! - Bytes that are no UTF-8 become U+FFFD, as with `String::from_utf8_lossy`.
//!
//! What has no empty line behind it isn't whole, even if nothing more comes. An empty piece is possible.

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
