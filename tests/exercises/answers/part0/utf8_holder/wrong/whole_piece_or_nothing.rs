//? recognised: complete, and was held back
//? why: Prints only when all held bytes are valid together. Complete characters before a beginning wait with it.

pub struct Holder(Vec<u8>);

impl Holder {
    pub fn new() -> Holder {
        Holder(Vec::new())
    }
    pub fn push(&mut self, bytes: &[u8]) -> String {
        self.0.extend_from_slice(bytes);
        match String::from_utf8(self.0.clone()) {
            Ok(text) => {
                self.0.clear();
                text
            }
            Err(_) => String::new(),
        }
    }
    pub fn finish(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.0)).into_owned()
    }
}
