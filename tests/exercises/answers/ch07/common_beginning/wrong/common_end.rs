//? recognised: from the beginning
//? why: Counts from the end. The end of a text is not where it was, and its rows saw another past.

pub fn kept(held: &[u32], ids: &[u32]) -> usize {
    let common = held.iter().rev().zip(ids.iter().rev()).take_while(|(a, b)| a == b).count();
    common.min(ids.len().saturating_sub(1))
}
