//! Random numbers from a seed: the same ones on every platform, today and in years.

/// SplitMix64, by Steele, Lea and Flood (2014). No Clone: a copy would draw the same numbers
/// again.
pub struct SplitMix64 {
    seed: u64,
    drawn: u64, // how many numbers so far
}

impl SplitMix64 {
    /// A generator at the start of its seed's sequence.
    pub fn new(seed: u64) -> SplitMix64 {
        SplitMix64 { seed, drawn: 0 }
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.drawn = self.drawn.wrapping_add(1);
        SplitMix64::number(self.seed, self.drawn)
    }

    /// Number `n` of a seed's sequence; [`SplitMix64::draw`] begins with number 1.
    pub fn number(seed: u64, n: u64) -> u64 {
        let mut bits = seed.wrapping_add(n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// 0 or more and below 1, in steps of 2^-32.
    pub fn fraction(&mut self) -> f64 {
        (self.draw() >> 32) as f64 / 4_294_967_296.0
    }

    /// A whole number from 0 to `end - 1`; 0 if there is none.
    pub fn below(&mut self, end: usize) -> usize {
        (self.draw() % end.max(1) as u64) as usize
    }
}
