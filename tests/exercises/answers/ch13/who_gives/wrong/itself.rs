//? recognised: gives to itself
//? why: Lets the text lose its own rows. That is how one request ended an engine that we have read.

pub fn who_gives(
    blocks: &[usize],
    index: usize,
    free: usize,
    wanted: usize,
) -> Option<Vec<usize>> {
    let (mut have, mut gives) = (free, Vec::new());
    for text in (index..blocks.len()).rev() {
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
