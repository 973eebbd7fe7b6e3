//? recognised: times what one text takes
//? why: Divides by what one text takes: then nothing would be gained by going together.

use exercise_kit::pass::Pass;

pub fn nanoseconds(pass: &Pass, lengths: &[u64]) -> u64 {
    if lengths.is_empty() {
        return 0;
    }
    let texts = lengths.len() as u64;
    let read = pass.weights.div_ceil(pass.bandwidth);
    let compute = (texts * pass.operations).div_ceil(pass.rate);
    let positions: u64 = lengths.iter().sum();
    read.max(compute) + (positions * pass.cache).div_ceil(pass.bandwidth)
}

pub fn fits(pass: &Pass, length: u64, limit: u64, most: usize) -> usize {
    let takes = |texts: &usize| nanoseconds(pass, &vec![length; *texts]);
    (limit / takes(&1).max(1)).min(most as u64) as usize
}
