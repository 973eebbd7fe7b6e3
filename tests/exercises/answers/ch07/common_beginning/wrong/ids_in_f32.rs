//? recognised: f32
//? why: Compares ids as f32, which does not hold every whole number above 2<sup>24</sup>.

// held, ids: any length, any ids
pub fn kept(held: &[u32], ids: &[u32]) -> usize {
    let common = held.iter().zip(ids).take_while(|(a, b)| **a as f32 == **b as f32).count();
    common.min(ids.len().saturating_sub(1))
}
