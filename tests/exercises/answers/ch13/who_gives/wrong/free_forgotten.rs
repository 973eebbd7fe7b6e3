//? recognised: what is free comes first
//? why: Forgets what is free, and takes too much.

pub fn who_gives(
    blocks: &[usize],
    index: usize,
    free: usize,
    wanted: usize,
) -> Option<Vec<usize>> {
    let (mut have, mut gives) = (0 * free, Vec::new());
    for text in (index + 1..blocks.len()).rev() {
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
