//? recognised: many of them are not
//? why: Leaves out scores that are 10 below the largest. One such weight is little; three thousand of them are a twentieth of the whole.

#[derive(Clone, Copy)]
pub struct Running {
    largest: f32,
    sum: f32,
    mixed: f32,
}
impl Running {
    #[allow(clippy::new_without_default)]
    pub fn new() -> Running {
        Running { largest: f32::NEG_INFINITY, sum: 0.0, mixed: 0.0 }
    }
    pub fn push(&mut self, score: f32, value: f32) {
        if score == f32::NEG_INFINITY || score < self.largest - 10.0 {
            return;
        }
        let new = self.largest.max(score);
        let factor = (self.largest - new).exp();
        let weight = (score - new).exp();
        self.sum = self.sum * factor + weight;
        self.mixed = self.mixed * factor + weight * value;
        self.largest = new;
    }
    pub fn mean(&self) -> f32 {
        self.mixed / self.sum
    }
}
