//? recognised: infinity - infinity
//? why: Subtracts minus infinity from minus infinity when the first key is masked. The result is NaN, and stays NaN.

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
        let largest = self.largest.max(score);
        let shrink = (self.largest - largest).exp();
        let weight = (score - largest).exp();
        self.sum = self.sum * shrink + weight;
        self.total = self.total * shrink + weight * value;
        self.largest = largest;
    }
    pub fn mean(&self) -> f32 {
        self.total / self.sum
    }
}
