//? recognised: where a message ends
//? why: Compares up to the end of the edited message, also when nothing was changed.

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
    let kept = (before + same).min(rows).min(text.len().saturating_sub(1));
    (kept, rows - kept, text.len() - kept)
}
