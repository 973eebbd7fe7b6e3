//? recognised: upside down
//? why: Multiplies by exp(new - old). The old sums grow where they should shrink.

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
        let shrink = if self.sum == 0.0 { 1.0 } else { (largest - self.largest).exp() };
        let weight = (score - largest).exp();
        self.sum = self.sum * shrink + weight;
        self.total = self.total * shrink + weight * value;
        self.largest = largest;
    }
    pub fn mean(&self) -> f32 {
        self.total / self.sum
    }
}
