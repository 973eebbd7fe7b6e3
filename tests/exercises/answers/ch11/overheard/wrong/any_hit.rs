//? recognised: says nothing new
//? why: Takes every hit for a sign. A hit as long as what is known already comes with any token.

pub fn overhear(
    ask: &mut dyn FnMut(&[u32]) -> usize,
    vocabulary: u32,
    length: usize,
) -> Vec<u32> {
    let mut known = Vec::new();
    for _ in 0..length {
        for token in 0..vocabulary {
            known.push(token);
            if ask(&known) + 1 >= known.len() {
                break;
            }
            known.pop();
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
