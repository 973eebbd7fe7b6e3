//? recognised: ids, not messages
//? why: Counts messages where ids are asked for.

pub fn edit(
    messages: &[Vec<u32>],
    edited: usize,
    new: &[u32],
    rows: usize,
) -> (usize, usize, usize) {
    let old = messages.concat();
    let text = [&messages[..edited].concat(), new, &messages[edited + 1..].concat()].concat();
    let kept = edited.min(rows).min(text.len().saturating_sub(1));
    (kept, rows - kept, text.len() - kept)
}
