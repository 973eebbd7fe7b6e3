//? recognised: rows, not ids
//? why: Counts the ids of the old text that do not stay. The cache may have fewer rows.

pub fn edit(
    messages: &[Vec<u32>],
    edited: usize,
    new: &[u32],
    rows: usize,
) -> (usize, usize, usize) {
    let old = messages.concat();
    let text = [&messages[..edited].concat(), new, &messages[edited + 1..].concat()].concat();
    let common = old.iter().zip(&text).take_while(|(a, b)| a == b).count();
    let kept = common.min(rows).min(text.len().saturating_sub(1));
    (kept, old.len() - kept, text.len() - kept)
}
