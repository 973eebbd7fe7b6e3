//? recognised: every character counts
//? why: Takes the first character away if it is a byte order mark. A model that writes one means it.

pub struct Holder {
    held: Vec<u8>,
}

impl Holder {
    #[allow(clippy::new_without_default)]
    pub fn new() -> Holder {
        Holder { held: Vec::new() }
    }

    pub fn push(&mut self, bytes: &[u8]) -> String {
        self.held.extend_from_slice(bytes);
        let mut text = String::new();
        loop {
            let (valid, bad) = match std::str::from_utf8(&self.held) {
                Ok(_) => (self.held.len(), Some(0)),
                Err(error) => (error.valid_up_to(), error.error_len()),
            };
            text.push_str(
                String::from_utf8_lossy(&self.held[..valid]).trim_start_matches('\u{feff}'),
            );
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
    }

    pub fn finish(&mut self) -> String {
        let rest = std::mem::take(&mut self.held);
        String::from_utf8_lossy(&rest).into_owned()
    }
}
