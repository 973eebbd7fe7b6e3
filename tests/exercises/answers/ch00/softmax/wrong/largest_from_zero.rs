//? recognised: begins at 0
//? why: Begins with 0 as the largest score. Scores of -200 then all have the weight 0, and 0 / 0 is NaN.

#[derive(Clone, Copy)]
pub struct Running {
    largest: f32,
    sum: f32,
    total: f32,
}

impl Running {
    pub fn new() -> Running {
        Running { largest: 0.0, sum: 0.0, total: 0.0 }
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
        self.total / self.sum
    }
}
