//? recognised: finish() lost
//? why: Returns nothing from `finish`. If the model stops in the middle of a character, its beginning disappears.

pub struct Holder(Vec<u8>);

impl Holder {
    pub fn new() -> Holder {
        Holder(Vec::new())
    }
    pub fn push(&mut self, bytes: &[u8]) -> String {
        self.0.extend_from_slice(bytes);
        let mut text = String::new();
        loop {
            match std::str::from_utf8(&self.0) {
                Ok(all) => {
                    text.push_str(all);
                    self.0.clear();
                    return text;
                }
                Err(error) => {
                    let valid = error.valid_up_to();
                    text.push_str(&String::from_utf8_lossy(&self.0[..valid]));
                    self.0.drain(..valid);
                    let Some(length) = error.error_len() else { return text };
                    text.push('\u{fffd}');
                    self.0.drain(..length);
                }
            }
        }
    }
    pub fn finish(&mut self) -> String {
        String::new()
    }
}
