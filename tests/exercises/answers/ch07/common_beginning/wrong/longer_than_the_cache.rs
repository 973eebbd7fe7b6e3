//? recognised: more rows than
//? why: Takes the length of the text where no id differs. A shorter cache does not have that many rows.

pub fn kept(held: &[u32], ids: &[u32]) -> usize {
    let differs = held.iter().zip(ids).position(|(a, b)| a != b).unwrap_or(ids.len());
    differs.min(ids.len().saturating_sub(1))
}
