//? recognised: after the first difference
//? why: Counts equal ids at equal positions, also after the texts have parted. Those rows were made from another past.

pub fn kept(held: &[u32], ids: &[u32]) -> usize {
    let equal = held.iter().zip(ids).filter(|(a, b)| a == b).count();
    equal.min(ids.len().saturating_sub(1))
}
