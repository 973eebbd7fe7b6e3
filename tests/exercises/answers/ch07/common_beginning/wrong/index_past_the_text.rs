//? recognised: need not be equally long
//? why: Goes through the cache, and looks behind the end of a shorter text.

pub fn kept(held: &[u32], ids: &[u32]) -> usize {
    let mut kept = 0;
    for i in 0..held.len() {
        if held[i] != ids[i] {
            break;
        }
        kept += 1;
    }
    kept.min(ids.len().saturating_sub(1))
}
