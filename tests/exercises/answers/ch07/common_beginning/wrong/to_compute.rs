//? recognised: left to compute
//? why: Gives the number of ids that must be computed, and not of those that stay.

pub fn kept(held: &[u32], ids: &[u32]) -> usize {
    let common = held.iter().zip(ids).take_while(|(a, b)| a == b).count();
    ids.len() - common.min(ids.len().saturating_sub(1))
}
