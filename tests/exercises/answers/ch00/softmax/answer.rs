//? title: A softmax in one pass, which forgets the scores
//? page: ch00/attention.md
//? section: Softmax
//? level: core
//? minutes: 40
//? call: check(answer::Running::new, answer::Running::push, answer::Running::mean)
//? hint 1: The page needs all scores twice: for the largest, and for the exponentials. What is wrong with the sums so far when a new score turns out to be the largest, and by which factor?
//? hint 2: Keep three numbers: the largest score so far, the sum of the weights, and the sum of weight * value, both relative to that largest. exp(x - new) = exp(x - old) * exp(old - new): when the largest grows, both sums are multiplied by exp(old - new).
//? hint 3: `let largest = self.largest.max(score); let shrink = (self.largest - largest).exp(); let weight = (score - largest).exp();` then `sum = sum * shrink + weight` and the same for the values. A score of minus infinity changes nothing: return before, since infinity - infinity is NaN.
//? why: Both sums are relative to the largest score so far, so nothing overflows. When the largest grows, one factor moves
//?   both sums over. The result is exact up to rounding, in whatever order the scores come. FlashAttention does the same
//?   with blocks of keys, which is why it never needs all scores at once. The first score needs no case of its own: the
//?   largest is minus infinity then, and exp(minus infinity) is 0.

//! Attention wants the mean of some values, weighted by the softmax of their scores. The page computes all scores first. Here
//! they come one at a time, each with its value, and there is no room to keep them:
//!
//! - `push(score, value)` takes a score and its value.
//! - `mean()` is the weighted mean of all values so far: sum of softmax(scores)[i] * value[i].
//!
//! `Running` must be `Copy` and take at most 64 bytes, so it cannot hold a list. Scores may be 200 or -20000, or minus infinity
//! (a weight of 0). The check asks for `mean()` after every push, from the first finite score on, and it must never be NaN.
//! Messages count the pushes from 0.

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
