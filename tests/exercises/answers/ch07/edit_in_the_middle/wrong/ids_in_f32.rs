//? recognised: f32
//? why: Compares ids as f32, which does not hold every whole number above 2<sup>24</sup>.

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
    let common = old.iter().zip(&text).take_while(|(a, b)| **a as f32 == **b as f32).count();
    let kept = common.min(rows).min(text.len().saturating_sub(1));
    (kept, rows - kept, text.len() - kept)
}
