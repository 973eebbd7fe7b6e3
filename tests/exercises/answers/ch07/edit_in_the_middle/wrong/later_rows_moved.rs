//? recognised: nothing moves
//? why: Takes out the rows of the old message, and moves those of the later messages to their new place. Their positions are in them, and they saw the old message.

pub fn edit(
    messages: &[Vec<u32>],
    edited: usize,
    new: &[u32],
    rows: usize,
) -> (usize, usize, usize) {
    let replaced = messages[edited].len().min(rows);
    (rows - replaced, replaced, new.len())
}
