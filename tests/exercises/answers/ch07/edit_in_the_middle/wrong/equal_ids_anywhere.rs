//? recognised: after the first difference
//? why: Counts equal ids at equal positions, also after the first difference.

pub fn edit(
    messages: &[Vec<u32>],
    edited: usize,
    new: &[u32],
    rows: usize,
) -> (usize, usize, usize) {
    let old = messages.concat();
    let text = [&messages[..edited].concat(), new, &messages[edited + 1..].concat()].concat();
    let equal = old.iter().zip(&text).filter(|(a, b)| a == b).count();
    let kept = equal.min(rows).min(text.len().saturating_sub(1));
    (kept, rows - kept, text.len() - kept)
}
