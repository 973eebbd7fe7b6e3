//? recognised: not divided
//? why: Returns the sum of the weighted values. The largest weight is 1, but their sum is not.

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
        let shrink = (self.largest - largest).exp();
        let weight = (score - largest).exp();
        self.sum = self.sum * shrink + weight;
        self.total = self.total * shrink + weight * value;
        self.largest = largest;
    }
    pub fn mean(&self) -> f32 {
        self.total
    }
}
