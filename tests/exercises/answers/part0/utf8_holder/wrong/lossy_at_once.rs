//? recognised: half a character
//? why: Converts each piece by itself. Every character that two tokens share becomes two or more U+FFFD.

pub struct Holder;

impl Holder {
    pub fn new() -> Holder {
        Holder
    }
    pub fn push(&mut self, bytes: &[u8]) -> String {
        String::from_utf8_lossy(bytes).into_owned()
    }
    pub fn finish(&mut self) -> String {
        String::new()
    }
}
