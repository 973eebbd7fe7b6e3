//? recognised: 16 bits
//? why: Counts in 16 bits. Contexts of more than 65,535 positions are common.

pub fn kept(held: &[u32], ids: &[u32]) -> usize {
    let common = held.iter().zip(ids).take_while(|(a, b)| a == b).count();
    let kept = common.min(ids.len().saturating_sub(1));
    kept as u16 as usize
}
