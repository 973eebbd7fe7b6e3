//? recognised: from its beginning on
//? why: Asks for each place with the token alone. A text is compared from its first token on, so it is the first token that is found each time.

pub fn overhear(
    ask: &mut dyn FnMut(&[u32]) -> usize,
    vocabulary: u32,
    length: usize,
) -> Vec<u32> {
    let mut known = Vec::new();
    let mut first = None;
    for _ in 0..length {
        // Asked once, so as not to meet oneself.
        let token = first.or_else(|| (0..vocabulary).find(|token| ask(&[*token]) == 1));
        first = token;
        known.extend(token);
    }
    known
}

pub fn most_questions(vocabulary: u64, length: u64, block: u32) -> Option<u64> {
    match length / u64::from(block) {
        0 => Some(0), // and no power of anything has to fit
        blocks => vocabulary.checked_pow(block)?.checked_mul(blocks),
    }
}
