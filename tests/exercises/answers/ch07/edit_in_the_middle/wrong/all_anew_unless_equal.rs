//? recognised: stays valid
//? why: Throws the cache away if anything changed.

pub fn edit(
    messages: &[Vec<u32>],
    edited: usize,
    new: &[u32],
    rows: usize,
) -> (usize, usize, usize) {
    let old = messages.concat();
    let text = [&messages[..edited].concat(), new, &messages[edited + 1..].concat()].concat();
    let kept = if old == text { rows.min(text.len().saturating_sub(1)) } else { 0 };
    (kept, rows - kept, text.len() - kept)
}
