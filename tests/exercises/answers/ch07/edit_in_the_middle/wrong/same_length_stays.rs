//? recognised: what they saw
//? why: Computes only the new message if it is as long as the old one. The later ids and positions are the same, but their rows saw the old message.

pub fn edit(
    messages: &[Vec<u32>],
    edited: usize,
    new: &[u32],
    rows: usize,
) -> (usize, usize, usize) {
    let old = messages.concat();
    let text = [&messages[..edited].concat(), new, &messages[edited + 1..].concat()].concat();
    if new.len() == messages[edited].len() {
        let replaced = new.len().min(rows);
        return (rows - replaced, replaced, replaced);
    }
    let common = old.iter().zip(&text).take_while(|(a, b)| a == b).count();
    let kept = common.min(rows).min(text.len().saturating_sub(1));
    (kept, rows - kept, text.len() - kept)
}
