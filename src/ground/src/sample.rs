//! From logits to the next token.

use crate::exp::exp;
use crate::random::SplitMix64;

/// How to choose. The default is greedy: always the most likely token.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampling {
    /// 0 is greedy; above, the larger the more daring.
    pub temperature: f32,
    /// Only the k most likely tokens; 0 for all.
    pub top_k: usize,
    /// Only the fewest tokens whose probabilities sum to p; 1 for all.
    pub top_p: f32,
    /// Makes tokens that were seen before less likely; 1 for no difference.
    pub repetition_penalty: f32,
    /// The same seed draws the same tokens, on every platform.
    pub seed: u64,
}

impl Default for Sampling {
    fn default() -> Self {
        Sampling { temperature: 0.0, top_k: 0, top_p: 1.0, repetition_penalty: 1.0, seed: 0 }
    }
}

impl Sampling {
    /// Whether all settings make sense.
    pub fn check(&self) -> Result<(), SampleError> {
        let Sampling { temperature, top_p, repetition_penalty, .. } = *self;
        if !(temperature >= 0.0 && temperature.is_finite()) {
            return Err(SampleError::Temperature(temperature));
        }
        if !(0.0..=1.0).contains(&top_p) {
            return Err(SampleError::TopP(top_p));
        }
        if !(repetition_penalty > 0.0 && repetition_penalty.is_finite()) {
            return Err(SampleError::RepetitionPenalty(repetition_penalty));
        }
        Ok(())
    }
}

/// Which setting makes no sense.
#[derive(Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum SampleError {
    #[error("the temperature is {0}, expected 0 (greedy) or more")]
    Temperature(f32),
    #[error("top-p is {0}, expected 0 to 1 (1: all tokens)")]
    TopP(f32),
    #[error("the repetition penalty is {0}, expected more than 0 (1: none)")]
    RepetitionPenalty(f32),
}

/// Chooses one token after another.
pub struct Sampler {
    settings: Sampling,
    random: SplitMix64,
    // Kept from call to call for their memory only: a number for each token of the vocabulary.
    logits: Vec<f32>,
    weights: Vec<f32>, // their probabilities, but for a common factor
    ranks: Vec<u64>,   // those that top-k and top-p have left
}

impl Sampler {
    /// A sampler at the start of its seed's sequence.
    pub fn new(settings: Sampling) -> Result<Sampler, SampleError> {
        settings.check()?;
        let random = SplitMix64::new(settings.seed);
        let (logits, weights, ranks) = Default::default();
        Ok(Sampler { settings, random, logits, weights, ranks })
    }

    /// The next token after logits `[vocab]`; `seen` is every token so far, the prompt's too.
    pub fn next(&mut self, logits: &[f32], seen: &[u32]) -> u32 {
        let Sampling { temperature, top_k, top_p, repetition_penalty, .. } = self.settings;
        let greedy = temperature == 0.0;
        if greedy && repetition_penalty == 1.0 {
            return argmax(logits);
        }
        self.punish(logits, seen);
        let best = argmax(&self.logits);
        let largest = self.logits.get(best as usize).copied().unwrap_or(f32::NAN);
        // All are NaN or minus infinity, or one is certain.
        if greedy || !largest.is_finite() {
            return best;
        }
        self.weigh(largest);
        if top_k == 0 && top_p >= 1.0 {
            let all = (0..).zip(self.weights.iter().copied());
            return draw(&mut self.random, sum(self.weights.iter()), all);
        }
        let total = self.keep_top_k();
        let total = self.keep_top_p(total);
        let kept =
            self.ranks.iter().map(|&rank| (id_of(rank), self.weights[id_of(rank) as usize]));
        draw(&mut self.random, total, kept)
    }

    fn punish(&mut self, logits: &[f32], seen: &[u32]) {
        self.logits.clear();
        self.logits.extend_from_slice(logits);
        let penalty = self.settings.repetition_penalty;
        for &id in seen {
            // From the logit as it came: a token that was seen twice is punished once.
            if let Some(&logit) = logits.get(id as usize) {
                let punished = if logit > 0.0 { logit / penalty } else { logit * penalty };
                self.logits[id as usize] = punished;
            }
        }
    }

    fn weigh(&mut self, largest: f32) {
        let temperature = self.settings.temperature;
        self.weights.clear();
        // At most exp(0), however small the temperature.
        let weights = self.logits.iter().map(|logit| exp((logit - largest) / temperature));
        self.weights.extend(weights);
    }

    /// In order, with what they weigh together.
    fn keep_top_k(&mut self) -> f64 {
        let Sampling { top_k, top_p, .. } = self.settings;
        // What top-k leaves is summed below.
        let total = if top_k == 0 { sum(self.weights.iter()) } else { 0.0 };
        // All that weigh less than this are together lighter than what top-p leaves out.
        let least = (1.0 - f64::from(top_p)) * total / self.weights.len() as f64;
        let all = (0..).zip(self.logits.iter().zip(&self.weights));
        let likely = all.filter(|(_, (_, weight))| f64::from(**weight) >= least);
        // Neither NaN nor minus infinity can be drawn.
        let likely = likely.filter(|(_, (logit, _))| **logit > f32::NEG_INFINITY);
        self.ranks.clear();
        self.ranks.extend(likely.map(|(id, (logit, _))| rank(id, *logit)));
        if top_k == 0 {
            self.ranks.sort_unstable();
            return total;
        }
        if top_k < self.ranks.len() {
            self.ranks.select_nth_unstable(top_k);
            self.ranks.truncate(top_k);
        }
        self.ranks.sort_unstable();
        sum(self.ranks.iter().map(|&rank| &self.weights[id_of(rank) as usize]))
    }

    fn keep_top_p(&mut self, total: f64) -> f64 {
        let enough = f64::from(self.settings.top_p) * total;
        let mut sum = 0.0;
        for (last, &rank) in self.ranks.iter().enumerate() {
            sum += f64::from(self.weights[id_of(rank) as usize]);
            if sum >= enough && self.settings.top_p < 1.0 {
                self.ranks.truncate(last + 1);
                break;
            }
        }
        sum
    }
}

/// In this order: another one could round to another number.
fn sum<'w>(weights: impl Iterator<Item = &'w f32>) -> f64 {
    weights.fold(0.0, |sum, weight| sum + f64::from(*weight))
}

/// One of these tokens, which weigh so much together.
fn draw(
    random: &mut SplitMix64,
    total: f64,
    mut candidates: impl Iterator<Item = (u32, f32)>,
) -> u32 {
    // Below the total: some candidate's share holds it, and never one of weight 0.
    let target = random.fraction() * total;
    let mut sum = 0.0;
    let drawn = candidates.find(|(_, weight)| {
        sum += f64::from(*weight);
        sum > target
    });
    drawn.map_or(0, |(id, _)| id)
}

/// The most likely token. NaN never wins, and of equals the first does.
pub fn argmax(logits: &[f32]) -> u32 {
    let mut best = 0;
    for (id, &logit) in logits.iter().enumerate() {
        if logit > logits[best] || (logits[best].is_nan() && !logit.is_nan()) {
            best = id;
        }
    }
    best as u32
}

/// In order of these, the likelier token is first, and equal ones are in the order of their ids.
fn rank(id: u32, logit: f32) -> u64 {
    let bits = (logit + 0.0).to_bits(); // -0 is 0
    // As whole numbers, negative floats are in the wrong order, and behind the positive ones.
    let ascending = if logit < 0.0 { !bits } else { bits | 1 << 31 };
    u64::from(!ascending) << 32 | u64::from(id)
}

fn id_of(rank: u64) -> u32 {
    rank as u32
}
