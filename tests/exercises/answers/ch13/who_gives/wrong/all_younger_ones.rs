//? recognised: no longer needed
//? why: Takes from all younger texts, needed or not.

pub fn who_gives(
    blocks: &[usize],
    index: usize,
    free: usize,
    wanted: usize,
) -> Option<Vec<usize>> {
    let (mut have, mut gives) = (free, Vec::new());
    for text in (index + 1..blocks.len()).rev() {
        if blocks[text] > 0 {
            have += blocks[text];
            gives.push(text);
        }
    }
    (have >= wanted).then_some(gives)
}
