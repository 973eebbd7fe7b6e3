//? recognised: exp overflows
//? why: Adds up the exponentials as they are. For a score of 200 that is infinity.

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
        self.largest = score;
        self.sum += score.exp();
        self.total += score.exp() * value;
    }
    pub fn mean(&self) -> f32 {
        self.total / self.sum
    }
}
