//? recognised: at position 0
//? why: Looks for the longest run of ids that both have somewhere. Only ids from position 0 on count: a row belongs to its position.

pub fn kept(held: &[u32], ids: &[u32]) -> usize {
    let mut longest = 0;
    for a in 0..held.len() {
        for b in 0..ids.len() {
            let run = held[a..].iter().zip(&ids[b..]).take_while(|(a, b)| a == b).count();
            longest = longest.max(run);
        }
    }
    longest.min(ids.len().saturating_sub(1))
}
