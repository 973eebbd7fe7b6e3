//? recognised: the youngest gives first
//? why: Begins with the oldest of the younger ones, which has the most to compute again.

pub fn who_gives(
    blocks: &[usize],
    index: usize,
    free: usize,
    wanted: usize,
) -> Option<Vec<usize>> {
    let (mut have, mut gives) = (free, Vec::new());
    for text in index + 1..blocks.len() {
        if have >= wanted {
            break;
        }
        if blocks[text] > 0 {
            have += blocks[text];
            gives.push(text);
        }
    }
    (have >= wanted).then_some(gives)
}
