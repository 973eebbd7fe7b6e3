//? recognised: relative to the old one
//? why: Takes the new largest score for the next weight only. The old sums are still relative to the old one, and count far too much.

#[derive(Clone, Copy)]
pub struct Running {
    largest: f32,
    sum: f32,
    total: f32,
}

impl Running {
    pub fn new() -> Running {
        Running { largest: f32::NEG_INFINITY, sum: 0.0, total: 0.0 }
    }
    pub fn push(&mut self, score: f32, value: f32) {
        if score == f32::NEG_INFINITY {
            return;
        }
        let largest = self.largest.max(score);
        let weight = (score - largest).exp();
        self.sum = self.sum * 1.0 + weight;
        self.total = self.total * 1.0 + weight * value;
        self.largest = largest;
    }
    pub fn mean(&self) -> f32 {
        self.total / self.sum
    }
}
