//? recognised: as far as its ids
//? why: Cuts where the edited message begins. Its own first ids may be the same as before.

pub fn edit(
    messages: &[Vec<u32>],
    edited: usize,
    new: &[u32],
    rows: usize,
) -> (usize, usize, usize) {
    let old = messages.concat();
    let text = [&messages[..edited].concat(), new, &messages[edited + 1..].concat()].concat();
    let before: usize = messages[..edited].iter().map(Vec::len).sum();
    let kept = before.min(rows).min(text.len().saturating_sub(1));
    (kept, rows - kept, text.len() - kept)
}
