//? recognised: no id differs
//? why: Looks for the first position at which the ids differ. Where one text is a beginning of the other there is none, and 0 is taken for that.

pub fn kept(held: &[u32], ids: &[u32]) -> usize {
    let differs = held.iter().zip(ids).position(|(a, b)| a != b).unwrap_or(0);
    differs.min(ids.len().saturating_sub(1))
}
