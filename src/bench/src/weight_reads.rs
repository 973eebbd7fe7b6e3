use ground::dtype::StoredType;

/// What one token reads of a model's weights.
#[derive(Default)]
pub struct Read {
    pub bytes: u64,
    /// As many bytes take as long in the read test.
    as_long: f64,
}

impl Read {
    /// Of an embedding that isn't the head as well, `tied`, a token reads one row: that isn't counted.
    pub fn add(&mut self, name: &str, tied: bool, stored: StoredType, bytes: u64) {
        if name != "token_embd.weight" || tied {
            self.bytes += bytes;
            self.as_long += bytes as f64 / reached(stored);
        }
    }

    /// Tokens a second where the read test reads so many bytes.
    pub fn speed(&self, rate: f64) -> f64 {
        rate / self.as_long
    }
}

/// The part of the read test's rate at which chapters 4 and 5 read such weights with two threads on the book's machine:
/// `book/measurements/ch04-bound.json` and `ch05-bound.json`. The fewer bits, the more arithmetic for a byte.
fn reached(stored: StoredType) -> f64 {
    match stored {
        StoredType::F32 | StoredType::F16 | StoredType::BF16 => 0.92,
        StoredType::Q8_0 => 0.78,
        StoredType::Q4_0
        | StoredType::Q4_1
        | StoredType::Q4_K
        | StoredType::Q5_K
        | StoredType::Q6_K => 0.65,
    }
}
