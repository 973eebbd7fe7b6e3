//! From logits to the next token.

use std::cmp::Ordering;

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
    candidates: Vec<Candidate>, // kept from call to call for its memory only
}

#[derive(Clone, Copy)]
struct Candidate {
    id: u32,
    logit: f32,
    weight: f64, // its probability, but for a common factor
}

impl Sampler {
    /// A sampler at the start of its seed's sequence.
    pub fn new(settings: Sampling) -> Result<Sampler, SampleError> {
        settings.check()?;
        let random = SplitMix64::new(settings.seed);
        Ok(Sampler { settings, random, candidates: Vec::new() })
    }

    /// The next token after logits `[vocab]`; `seen` is every token so far, the prompt's too.
    pub fn next(&mut self, logits: &[f32], seen: &[u32]) -> u32 {
        let greedy = self.settings.temperature == 0.0;
        if greedy && self.settings.repetition_penalty == 1.0 {
            return argmax(logits);
        }
        self.gather(logits, seen);
        let Some(best) = self.candidates.iter().copied().min_by(likelier_first) else {
            return argmax(logits);
        };
        if greedy || best.logit == f32::INFINITY {
            return best.id;
        }
        self.keep_top_k();
        let total = self.weigh(best.logit);
        let kept = self.keep_top_p(total);
        self.draw(kept)
    }

    fn gather(&mut self, logits: &[f32], seen: &[u32]) {
        let all = (0..).zip(logits).map(|(id, &logit)| Candidate { id, logit, weight: 0.0 });
        self.candidates.clear();
        self.candidates.extend(all);
        let penalty = self.settings.repetition_penalty;
        for &id in seen {
            // From the logit as it came: a token that was seen twice is punished once.
            if let Some(&logit) = logits.get(id as usize) {
                let punished = if logit > 0.0 { logit / penalty } else { logit * penalty };
                self.candidates[id as usize].logit = punished;
            }
        }
        // Neither NaN nor minus infinity can be drawn.
        self.candidates.retain(|candidate| candidate.logit > f32::NEG_INFINITY);
    }

    fn keep_top_k(&mut self) {
        let top_k = self.settings.top_k;
        if top_k > 0 && top_k < self.candidates.len() {
            self.candidates.select_nth_unstable_by(top_k, likelier_first);
            self.candidates.truncate(top_k);
        }
        if top_k > 0 || self.settings.top_p < 1.0 {
            self.candidates.sort_unstable_by(likelier_first);
        }
    }

    fn weigh(&mut self, largest: f32) -> f64 {
        let mut total = 0.0;
        for candidate in &mut self.candidates {
            // At most exp(0), however small the temperature. libm: the same bits everywhere.
            let below = (candidate.logit - largest) / self.settings.temperature;
            candidate.weight = f64::from(libm::expf(below));
            total += candidate.weight;
        }
        total
    }

    fn keep_top_p(&mut self, total: f64) -> f64 {
        let enough = f64::from(self.settings.top_p) * total;
        let mut sum = 0.0;
        for (last, candidate) in self.candidates.iter().enumerate() {
            sum += candidate.weight;
            if sum >= enough && self.settings.top_p < 1.0 {
                self.candidates.truncate(last + 1);
                break;
            }
        }
        sum
    }

    fn draw(&mut self, total: f64) -> u32 {
        // Below the total: some candidate's share holds it, and never one of weight 0.
        let target = self.random.fraction() * total;
        let mut sum = 0.0;
        let drawn = self.candidates.iter().find(|candidate| {
            sum += candidate.weight;
            sum > target
        });
        drawn.map_or(0, |candidate| candidate.id)
    }
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

// Equal logits in the order of their ids: a sort has only one result.
fn likelier_first(a: &Candidate, b: &Candidate) -> Ordering {
    b.logit.partial_cmp(&a.logit).unwrap_or(Ordering::Equal).then(a.id.cmp(&b.id))
}
