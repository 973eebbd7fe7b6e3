//? recognised: without any text
//? why: Reads the weights even for nobody.

use exercise_kit::pass::Pass;

pub fn nanoseconds(pass: &Pass, lengths: &[u64]) -> u64 {
    let texts = lengths.len() as u64;
    let read = pass.weights.div_ceil(pass.bandwidth);
    let compute = (texts * pass.operations).div_ceil(pass.rate);
    let positions: u64 = lengths.iter().sum();
    read.max(compute) + (positions * pass.cache).div_ceil(pass.bandwidth)
}

pub fn fits(pass: &Pass, length: u64, limit: u64, most: usize) -> usize {
    let takes = |texts: &usize| nanoseconds(pass, &vec![length; *texts]);
    (1..=most).take_while(|texts| takes(texts) <= limit).count()
}
