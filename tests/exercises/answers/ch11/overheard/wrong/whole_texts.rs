//? recognised: as many questions as there are texts
//? why: Goes through all texts of that length. It finds the right one, in the end.

pub fn overhear(
    ask: &mut dyn FnMut(&[u32]) -> usize,
    vocabulary: u32,
    length: usize,
) -> Vec<u32> {
    let mut text = vec![0; length];
    while ask(&text) < length {
        for token in text.iter_mut() {
            *token = (*token + 1) % vocabulary;
            if *token > 0 {
                break;
            }
        }
    }
    text
}

pub fn most_questions(vocabulary: u64, length: u64, block: u32) -> Option<u64> {
    match length / u64::from(block) {
        0 => Some(0), // and no power of anything has to fit
        blocks => vocabulary.checked_pow(block)?.checked_mul(blocks),
    }
}
