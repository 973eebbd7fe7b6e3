//? recognised: small weights are left out
//? why: Leaves out weights below a hundred thousandth. Where their values are large, they decide.

#[derive(Clone, Copy)]
pub struct Running {
    largest: f32,
    sum: f32,
    total: f32, // the values, each times its weight
}

impl Running {
    #[allow(clippy::new_without_default)]
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
        let weight = if weight < 1e-5 { 0.0 } else { weight };
        self.sum = self.sum * shrink + weight;
        self.total = self.total * shrink + weight * value;
        self.largest = largest;
    }

    pub fn mean(&self) -> f32 {
        self.total / self.sum
    }
}
