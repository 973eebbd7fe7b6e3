//? recognised: nothing moves
//? why: Keeps the common beginning and the common end, as a comparison of two files would. The rows of the end were made after other ids.

pub fn edit(
    messages: &[Vec<u32>],
    edited: usize,
    new: &[u32],
    rows: usize,
) -> (usize, usize, usize) {
    let old = messages.concat();
    let text = [&messages[..edited].concat(), new, &messages[edited + 1..].concat()].concat();
    let common = old.iter().zip(&text).take_while(|(a, b)| a == b).count();
    let most = old.len().min(text.len()) - common;
    let end =
        old.iter().rev().zip(text.iter().rev()).take_while(|(a, b)| a == b).count().min(most);
    let kept = (common + end).min(rows).min(text.len().saturating_sub(1));
    (kept, rows - kept, text.len() - kept)
}
