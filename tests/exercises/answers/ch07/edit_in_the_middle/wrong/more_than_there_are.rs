//? recognised: rows that the cache has not
//? why: Keeps what the two texts have in common. The cache may have fewer rows than that.

pub fn edit(
    messages: &[Vec<u32>],
    edited: usize,
    new: &[u32],
    rows: usize,
) -> (usize, usize, usize) {
    let old = messages.concat();
    let text = [&messages[..edited].concat(), new, &messages[edited + 1..].concat()].concat();
    let common = old.iter().zip(&text).take_while(|(a, b)| a == b).count();
    let kept = common.min(text.len().saturating_sub(1));
    (kept, rows.saturating_sub(kept), text.len() - kept)
}
