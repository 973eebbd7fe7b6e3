//? recognised: never become a character
//? why: Holds whatever is not valid yet, without asking whether it ever can be. One stray byte holds back the rest of the answer.

pub struct Holder(Vec<u8>);

impl Holder {
    pub fn new() -> Holder {
        Holder(Vec::new())
    }
    pub fn push(&mut self, bytes: &[u8]) -> String {
        self.0.extend_from_slice(bytes);
        let valid = match std::str::from_utf8(&self.0) {
            Ok(_) => self.0.len(),
            Err(error) => error.valid_up_to(),
        };
        let rest = self.0.split_off(valid);
        let text = std::mem::replace(&mut self.0, rest);
        String::from_utf8_lossy(&text).into_owned()
    }
    pub fn finish(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.0)).into_owned()
    }
}
