/// A short number that depends on every bit of every number before it: FNV-1a, by Fowler, Noll and Vo.
pub struct Digest(u64);

impl Default for Digest {
    fn default() -> Digest {
        Digest(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    pub fn add(&mut self, numbers: &[f32]) {
        for byte in numbers.iter().flat_map(|number| number.to_bits().to_le_bytes()) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }

    /// Sixteen hexadecimal digits: a number in JSON would lose some of its bits in a browser.
    pub fn text(&self) -> String {
        format!("{:016x}", self.0)
    }
}
