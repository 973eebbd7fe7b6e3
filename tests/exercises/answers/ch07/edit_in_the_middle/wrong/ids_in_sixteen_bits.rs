//? recognised: 16 bits
//? why: Compares ids in 16 bits. The vocabulary has 151,936.

// messages: the ids of each -> (kept, cut off, computed)
pub fn edit(
    messages: &[Vec<u32>],
    edited: usize,
    new: &[u32],
    rows: usize,
) -> (usize, usize, usize) {
    let old = messages.concat();
    let (before, after) = (messages[..edited].concat(), messages[edited + 1..].concat());
    let text = [&before, new, &after].concat();
    let common = old.iter().zip(&text).take_while(|(a, b)| **a as u16 == **b as u16).count();
    let kept = common.min(rows).min(text.len().saturating_sub(1));
    (kept, rows - kept, text.len() - kept)
}
