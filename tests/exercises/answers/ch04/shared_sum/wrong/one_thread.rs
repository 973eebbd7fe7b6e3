//? recognised: one thread at a time
//? why: Adds all blocks in order, in one thread. The bits are right, and nothing is shared.

pub const BLOCK: usize = 64;

pub fn shared_sum(
    numbers: &[f32],
    threads: usize,
    sum_block: &(dyn Fn(&[f32]) -> f32 + Sync),
) -> f32 {
    numbers.chunks(BLOCK).map(sum_block).fold(0.0, |total, sum| total + sum)
}
