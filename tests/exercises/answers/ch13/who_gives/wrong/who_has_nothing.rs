//? recognised: nothing to give
//? why: Names texts that have no blocks.

pub fn who_gives(
    blocks: &[usize],
    index: usize,
    free: usize,
    wanted: usize,
) -> Option<Vec<usize>> {
    let (mut have, mut gives) = (free, Vec::new());
    for text in (index + 1..blocks.len()).rev() {
        if have >= wanted {
            break;
        }
        have += blocks[text];
        gives.push(text);
    }
    (have >= wanted).then_some(gives)
}
