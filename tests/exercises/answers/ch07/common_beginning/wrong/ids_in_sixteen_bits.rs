//? recognised: an id may be above
//? why: Compares the ids in 16 bits. Real vocabularies have more: two different ids look the same.

pub fn kept(held: &[u32], ids: &[u32]) -> usize {
    let common = held.iter().zip(ids).take_while(|(a, b)| **a as u16 == **b as u16).count();
    common.min(ids.len().saturating_sub(1))
}
