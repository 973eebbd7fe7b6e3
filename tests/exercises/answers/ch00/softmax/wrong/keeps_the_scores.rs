//? recognised: are kept
//? why: Keeps the last 64 scores and values in arrays, which is `Copy` and misses the point: attention over a million keys would need them all.

#[derive(Clone, Copy)]
pub struct Running {
    scores: [f32; 64],
    values: [f32; 64],
    count: usize,
}

impl Running {
    pub fn new() -> Running {
        Running { scores: [0.0; 64], values: [0.0; 64], count: 0 }
    }
    pub fn push(&mut self, score: f32, value: f32) {
        self.scores[self.count % 64] = score;
        self.values[self.count % 64] = value;
        self.count += 1;
    }
    pub fn mean(&self) -> f32 {
        let n = self.count.min(64);
        let largest = self.scores[..n].iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let weights = self.scores[..n].iter().map(|x| (x - largest).exp());
        let sum: f32 = weights.clone().sum();
        weights.zip(&self.values).map(|(w, v)| w * v).sum::<f32>() / sum
    }
}
