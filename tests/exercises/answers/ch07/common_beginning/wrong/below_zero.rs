//? recognised: an empty text has no last id
//? why: Subtracts 1 from the length of an empty text.

pub fn kept(held: &[u32], ids: &[u32]) -> usize {
    let most = ids.len() - 1;
    held.iter().zip(ids).take_while(|(a, b)| a == b).count().min(most)
}
