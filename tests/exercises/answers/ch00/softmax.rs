//? title: A softmax in one pass, which forgets the scores
//? page: ch00/attention.md
//? section: Softmax
//? level: core
//? minutes: 40
//? call: check(Running::new, Running::push, Running::mean)
//? hint 1: The page needs all scores twice: for the largest, and for the exponentials. What is wrong with the sums so far when a new score turns out to be the largest, and by which factor?
//? hint 2: Keep three numbers: the largest score so far, the sum of the weights, and the sum of weight * value, both relative to that largest. exp(x - new) = exp(x - old) * exp(old - new): when the largest grows, both sums are multiplied by exp(old - new).
//? hint 3: `let largest = self.largest.max(score); let shrink = (self.largest - largest).exp(); let weight = (score - largest).exp();` then `sum = sum * shrink + weight` and the same for the values. A score of minus infinity changes nothing: return before, since infinity - infinity is NaN.
//? why: Both sums are relative to the largest score so far, so nothing overflows. When the largest grows, one factor moves
//?   both sums over. The result is exact up to rounding, in whatever order the scores come. FlashAttention does the same
//?   with blocks of keys, which is why it never needs all scores at once. The first score needs no case of its own: the
//?   largest is minus infinity then, and exp(minus infinity) is 0.

// Attention wants the mean of some values, weighted by the softmax of their scores. The page computes all scores first. Here
// they come one at a time, each with its value, and there is no room to keep them:
//
// - `push(score, value)` takes a score and its value.
// - `mean()` is the weighted mean of all values so far: sum of softmax(scores)[i] * value[i].
//
// `Running` must be `Copy` and take at most 64 bytes, so it cannot hold a list. Scores may be any finite number, or minus
// infinity (a weight of 0). The check asks for `mean()` after every push, from the first finite score on, and it must never be
// NaN. Messages count the pushes from 0.

#[derive(Clone, Copy)]
pub struct Running {
    //-- starter
    // // The fields are yours to choose.
    //-- solution
    largest: f32,
    sum: f32,
    total: f32, // the values, each times its weight
                //-- end
}

impl Running {
    #[allow(clippy::new_without_default)]
    pub fn new() -> Running {
        //-- starter
        // todo!()
        //-- solution
        Running { largest: f32::NEG_INFINITY, sum: 0.0, total: 0.0 }
        //-- end
    }

    pub fn push(&mut self, score: f32, value: f32) {
        //-- starter
        // todo!()
        //-- solution
        if score == f32::NEG_INFINITY {
            return;
        }
        let largest = self.largest.max(score);
        let shrink = (self.largest - largest).exp();
        let weight = (score - largest).exp();
        self.sum = self.sum * shrink + weight;
        self.total = self.total * shrink + weight * value;
        self.largest = largest;
        //-- end
    }

    pub fn mean(&self) -> f32 {
        //-- starter
        // todo!()
        //-- solution
        self.total / self.sum
        //-- end
    }
}

//-- check
pub mod check {
    use exercise_kit::{Checked, Failure, Near, Random, call, same_numbers};

    const LOW: f32 = f32::NEG_INFINITY;

    pub fn check<R: Copy>(
        new: fn() -> R,
        push: fn(&mut R, f32, f32),
        mean: fn(&R) -> f32,
    ) -> Checked {
        let empty = call("Running::new()", new)?;
        let size = size_of::<R>();
        if size > 64 {
            return Err(Failure::new("the size of Running", "at most 64 bytes", size));
        }
        let mut random = Random::new(16);
        let many: Vec<f32> = random.numbers(500).iter().map(|x| x * 6.0).collect();
        let mut small = vec![1.0; 1000];
        small[0] = 12.0;
        let large = "exp overflows: an f32 ends before exp(89), and scores are further apart";
        let low = "the search for the largest score begins at a number: all weights of scores far below it are 0, and 0 / 0 is NaN";
        let masked = "infinity - infinity is NaN: a score of minus infinity has the weight 0";
        // With values that are all the same, or not. In each, one thing more can go wrong.
        let cases: [(&str, &[f32], bool, &str); 11] = [
            (
                "scores that fall",
                &[1.0, 0.5, -1.0],
                false,
                "the total is not divided by the sum of the weights",
            ),
            (
                "scores that rise, and values of 0.75",
                &[0.5, 1.0, 3.0],
                true,
                "only the sum of the weights is right after a larger score has come",
            ),
            (
                "scores that rise",
                &[0.5, 1.0, 3.0, 2.0],
                false,
                "a larger score has come, and the sums so far are still relative to the old one",
            ),
            ("500 scores between -6 and 6", &many, false, ""),
            ("a score of 12, and then 999 scores of 1", &small, false, ""),
            ("scores that rise by 95", &[0.0, 95.0, 94.0], false, large),
            ("one score far above all others", &[1.0, 2.0, 120.0, 1.0], false, large),
            ("scores of 1e30", &[3.0, 1e30, 1e30], false, large),
            ("scores of -1e30", &[-1e30, -1e30, -9e29], false, low),
            ("scores of -3e38", &[-3e38, -3e38, 3e38], false, low),
            ("a first score of minus infinity", &[LOW, LOW, -1.0, LOW, 0.0], false, masked),
        ];
        for (case, scores, is_same, likely) in cases {
            let mut values = random.numbers(scores.len());
            if is_same {
                values.fill(0.75);
            }
            let first = scores.iter().position(|score| *score > LOW).unwrap_or(0);
            let (mut running, mut found, mut expected) = (empty, Vec::new(), Vec::new());
            for (i, (&score, &value)) in scores.iter().zip(&values).enumerate() {
                let step = format!("{case}: push {score} with value {value}, number {i}");
                call(&step, || push(&mut running, score, value))?;
                // Before the first finite score there is no mean; the 0 keeps the pushes counted.
                found.push(if i < first { 0.0 } else { call(&step, || mean(&running))? });
                let largest = scores[..=i].iter().copied().fold(LOW, f32::max);
                let weight = |score: &f32| (f64::from(*score) - f64::from(largest)).exp();
                let weights: Vec<f64> = scores[..=i].iter().map(weight).collect();
                let total = |(weight, value): (&f64, &f32)| weight * f64::from(*value);
                let total: f64 = weights.iter().zip(&values).map(total).sum();
                let right = (total / weights.iter().sum::<f64>()) as f32;
                expected.push(if i < first { 0.0 } else { right });
            }
            let (shape, near) = ([("mean after push", scores.len())], Near::Within(1e-4));
            same_numbers(case, &shape, near, &expected, &found, &[]).map_err(|failure| {
                if likely.is_empty() { failure } else { failure.likely(likely) }
            })?;
        }
        Ok(())
    }
}
