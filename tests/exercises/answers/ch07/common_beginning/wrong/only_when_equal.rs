//? recognised: more than the text
//? why: Holds the last id back when cache and text are equal. After an undo the cache holds more than the text, which is a beginning of it, and again there is nothing to compute.

pub fn kept(held: &[u32], ids: &[u32]) -> usize {
    if held == ids {
        return ids.len().saturating_sub(1);
    }
    held.iter().zip(ids).take_while(|(a, b)| a == b).count()
}
