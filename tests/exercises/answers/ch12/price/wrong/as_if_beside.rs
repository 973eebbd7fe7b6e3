//? recognised: come on top
//? why: Hides the cache behind the weights. Attention of a layer waits for its own products, so the bytes come on top.

use exercise_kit::pass::Pass;

pub fn nanoseconds(pass: &Pass, lengths: &[u64]) -> u64 {
    if lengths.is_empty() {
        return 0;
    }
    let texts = lengths.len() as u64;
    let read = pass.weights.div_ceil(pass.bandwidth);
    let compute = (texts * pass.operations).div_ceil(pass.rate);
    let positions: u64 = lengths.iter().sum();
    read.max(compute).max((positions * pass.cache).div_ceil(pass.bandwidth))
}

pub fn fits(pass: &Pass, length: u64, limit: u64, most: usize) -> usize {
    let takes = |texts: &usize| nanoseconds(pass, &vec![length; *texts]);
    (1..=most).take_while(|texts| takes(texts) <= limit).count()
}
