//? recognised: your own question
//? why: Fills each question up to the length of the text. When the next token is tried, what was put behind the last one is in the cache.

pub fn overhear(
    ask: &mut dyn FnMut(&[u32]) -> usize,
    vocabulary: u32,
    length: usize,
) -> Vec<u32> {
    let mut known = Vec::new();
    for at in 0..length {
        for token in 0..vocabulary {
            let mut text = known.clone();
            text.push(token);
            text.resize(length, 0);
            if ask(&text) > at {
                known.push(token);
                break;
            }
        }
    }
    known
}

pub fn most_questions(vocabulary: u64, length: u64, block: u32) -> Option<u64> {
    match length / u64::from(block) {
        0 => Some(0), // and no power of anything has to fit
        blocks => vocabulary.checked_pow(block)?.checked_mul(blocks),
    }
}
