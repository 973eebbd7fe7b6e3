//? recognised: an older text never gives
//? why: Takes from older texts as well. Two that take from each other never get to an end.

pub fn who_gives(
    blocks: &[usize],
    index: usize,
    free: usize,
    wanted: usize,
) -> Option<Vec<usize>> {
    let (mut have, mut gives) = (free, Vec::new());
    for text in (0..blocks.len()).rev().filter(|text| *text != index) {
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
