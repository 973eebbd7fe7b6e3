//? recognised: rows of the old message
//? why: Keeps the rows of the old message as well, and cuts after it.

pub fn edit(
    messages: &[Vec<u32>],
    edited: usize,
    new: &[u32],
    rows: usize,
) -> (usize, usize, usize) {
    let old = messages.concat();
    let text = [&messages[..edited].concat(), new, &messages[edited + 1..].concat()].concat();
    let before: usize = messages[..edited].iter().map(Vec::len).sum();
    let end = before + messages[edited].len();
    let kept = end.min(rows).min(text.len().saturating_sub(1));
    (kept, rows - kept, text.len() - kept)
}
