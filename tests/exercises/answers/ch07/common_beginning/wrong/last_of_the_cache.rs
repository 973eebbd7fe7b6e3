//? recognised: the last id of the text
//? why: Holds back the last id in the cache. It is the last id of the text whose logits are wanted.

pub fn kept(held: &[u32], ids: &[u32]) -> usize {
    held.iter().zip(ids).take_while(|(a, b)| a == b).count().min(held.len().saturating_sub(1))
}
