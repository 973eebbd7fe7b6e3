//? recognised: the last id of the text
//? why: Holds the last row of the cache back. It is the last id of the text whose logits are wanted.

pub fn edit(
    messages: &[Vec<u32>],
    edited: usize,
    new: &[u32],
    rows: usize,
) -> (usize, usize, usize) {
    let old = messages.concat();
    let text = [&messages[..edited].concat(), new, &messages[edited + 1..].concat()].concat();
    let common = old.iter().zip(&text).take_while(|(a, b)| a == b).count();
    let kept = common.min(rows.saturating_sub(1));
    (kept, rows - kept, text.len() - kept)
}
