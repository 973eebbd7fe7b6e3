//? recognised: where a message ends
//? why: Compares inside the edited message only. If one of the two is a beginning of the other, the next ids may still be the same ones at the same positions.

pub fn edit(
    messages: &[Vec<u32>],
    edited: usize,
    new: &[u32],
    rows: usize,
) -> (usize, usize, usize) {
    let old = messages.concat();
    let text = [&messages[..edited].concat(), new, &messages[edited + 1..].concat()].concat();
    let before: usize = messages[..edited].iter().map(Vec::len).sum();
    let same = messages[edited].iter().zip(new).take_while(|(a, b)| a == b).count();
    let unchanged = if messages[edited] == new { text.len() } else { before + same };
    let kept = unchanged.min(rows).min(text.len().saturating_sub(1));
    (kept, rows - kept, text.len() - kept)
}
