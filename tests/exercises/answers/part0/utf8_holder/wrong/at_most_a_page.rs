//? recognised: complete, and was held back
//? why: Looks at 4,096 bytes of a push and no more. The rest comes when nobody waits for it any more.

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
            let page = self.held.len().min(4096);
            let (valid, bad) = match std::str::from_utf8(&self.held[..page]) {
                Ok(_) => (page, Some(0)),
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
    }

    pub fn finish(&mut self) -> String {
        let rest = std::mem::take(&mut self.held);
        String::from_utf8_lossy(&rest).into_owned()
    }
}
