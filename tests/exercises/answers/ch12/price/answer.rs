//? title: What a pass over several texts costs
//? page: ch12/batch.md
//? section: What a row more costs
//? level: core
//? minutes: 35
//? call: check(answer::nanoseconds, answer::fits)
//? hint 1: Which bytes are read once, however many texts there are, and which are read for each text? Which operations are done once? Write down the four sums for one text and for two.
//? hint 2: Weights are read once, and meanwhile the threads compute, so of these two times only the longer counts. Each text has keys and values of its own, which nobody else's row can use: their bytes come on top.
//? hint 3: `weights / bandwidth` beside `texts.len() * operations / rate`, the larger of the two, plus the sum of all lengths times `cache` divided by `bandwidth`. For `fits`, try counts from 1 on while the pass takes no longer than `limit`; the cache makes it grow from the first text on, and with `length` 0 and no operations nothing ever grows.
//? why: As long as reading the weights takes longer than computing, another text is nearly free: that's all of batching. The keys and values are the part that it
//?   can't help with. They grow with the texts and their lengths, and at 16 texts of some thousand tokens they weigh more than the weights. So chapter 8 came before this one. The
//?   bend of the curve is where computing takes over, and it moves with the machine: more bandwidth for the same cores, and a batch pays less.

//! A pass computes one new token for each of several texts. Estimate what it costs:
//!
//! - The bytes of all weights are read once, at `bandwidth` bytes a nanosecond. While they come, the products of all rows are
//!   computed: `operations` for each text, `rate` of them a nanosecond. The pass waits for whichever takes longer.
//! - Then attention reads the keys and values of each text: `cache` bytes for each of its positions, at the same bandwidth.
//!
//! A part of a nanosecond counts as a whole one, in each of the three times. `Pass` is in `exercise_kit::pass`.
//!
//! - `nanoseconds(pass, lengths)`: what a pass takes for texts of these lengths; 0 without any text.
//! - `fits(pass, length, limit, most)`: how many texts of `length` positions can share a pass of no more than `limit` nanoseconds,
//!   but at most `most`. 0 if not even one can.

use exercise_kit::pass::Pass;

pub fn nanoseconds(pass: &Pass, lengths: &[u64]) -> u64 {
    //-- starter
    // todo!()
    //-- solution
    if lengths.is_empty() {
        return 0;
    }
    let texts = lengths.len() as u64;
    let read = pass.weights.div_ceil(pass.bandwidth);
    let compute = (texts * pass.operations).div_ceil(pass.rate);
    let positions: u64 = lengths.iter().sum();
    read.max(compute) + (positions * pass.cache).div_ceil(pass.bandwidth)
    //-- end
}

pub fn fits(pass: &Pass, length: u64, limit: u64, most: usize) -> usize {
    //-- starter
    // todo!()
    //-- solution
    let takes = |texts: &usize| nanoseconds(pass, &vec![length; *texts]);
    (1..=most).take_while(|texts| takes(texts) <= limit).count()
    //-- end
}
