//? recognised: stays valid
//? why: Throws the whole cache away. What comes before the edit saw nothing of it.

pub fn edit(
    messages: &[Vec<u32>],
    edited: usize,
    new: &[u32],
    rows: usize,
) -> (usize, usize, usize) {
    let old = messages.concat();
    let text = [&messages[..edited].concat(), new, &messages[edited + 1..].concat()].concat();
    (0, rows, text.len())
}
