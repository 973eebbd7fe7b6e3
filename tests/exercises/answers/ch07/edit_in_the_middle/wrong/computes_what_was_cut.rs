//? recognised: the new text
//? why: Computes as many rows as were cut. The new text has another length.

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
    (kept, rows - kept, rows - kept)
}
