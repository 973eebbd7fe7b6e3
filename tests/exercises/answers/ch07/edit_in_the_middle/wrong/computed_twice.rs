//? recognised: kept and computed are the text
//? why: Computes the last id and keeps its old row too. The new row would come after it, at a position that the text does not have.

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
    (kept, rows - kept, (text.len() - kept).max(usize::from(!text.is_empty())))
}
