//? recognised: one row less than it could
//? why: Holds one id back in any case. Mostly the last id of the text is not common anyway, and a good row is thrown away.

pub fn kept(held: &[u32], ids: &[u32]) -> usize {
    held.iter().zip(ids).take_while(|(a, b)| a == b).count().saturating_sub(1)
}
