//? recognised: the last id is always computed
//? why: Leaves nothing to compute where nothing was changed, or where the end was taken away.

pub fn edit(
    messages: &[Vec<u32>],
    edited: usize,
    new: &[u32],
    rows: usize,
) -> (usize, usize, usize) {
    let old = messages.concat();
    let text = [&messages[..edited].concat(), new, &messages[edited + 1..].concat()].concat();
    let common = old.iter().zip(&text).take_while(|(a, b)| a == b).count();
    let kept = common.min(rows);
    (kept, rows - kept, text.len() - kept)
}
