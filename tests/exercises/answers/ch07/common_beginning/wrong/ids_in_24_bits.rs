//? recognised: all of them count
//? why: Compares the lower 24 bits of the ids. The others count as well.

// held, ids: any length, any ids
pub fn kept(held: &[u32], ids: &[u32]) -> usize {
    let common = held.iter().zip(ids).take_while(|(a, b)| **a << 8 == **b << 8).count();
    common.min(ids.len().saturating_sub(1))
}
