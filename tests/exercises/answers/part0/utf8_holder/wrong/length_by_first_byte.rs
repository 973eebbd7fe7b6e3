//? recognised: never become a character
//? why: Believes the first byte, which says how many follow. Some second bytes are not allowed after it: `ED A0`, `E0 80`, `F4 90`. Those it holds back although they can never be whole.

pub struct Holder(Vec<u8>);

impl Holder {
    pub fn new() -> Holder {
        Holder(Vec::new())
    }
    pub fn push(&mut self, bytes: &[u8]) -> String {
        self.0.extend_from_slice(bytes);
        // Hold the last character while it has fewer bytes than its first one promises.
        let start = self.0.iter().rposition(|byte| byte & 0xc0 != 0x80).unwrap_or(0);
        let promised = match self.0.get(start) {
            Some(0xc2..=0xdf) => 2,
            Some(0xe0..=0xef) => 3,
            Some(0xf0..=0xf4) => 4,
            _ => 1,
        };
        let end = if self.0.len() - start < promised { start } else { self.0.len() };
        let rest = self.0.split_off(end);
        let text = std::mem::replace(&mut self.0, rest);
        String::from_utf8_lossy(&text).into_owned()
    }
    pub fn finish(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.0)).into_owned()
    }
}
