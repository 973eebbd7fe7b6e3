//? recognised: complete, and was held back
//? why: Holds all text until the end. That is never wrong in its bytes, but nothing appears on the screen.

pub struct Holder(Vec<u8>);

impl Holder {
    pub fn new() -> Holder {
        Holder(Vec::new())
    }
    pub fn push(&mut self, bytes: &[u8]) -> String {
        self.0.extend_from_slice(bytes);
        String::new()
    }
    pub fn finish(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.0)).into_owned()
    }
}
