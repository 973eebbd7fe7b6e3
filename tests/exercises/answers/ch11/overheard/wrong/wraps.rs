//? recognised: does not fit
//? why: Computes with what fits 64 bits and drops the rest, so that a hopeless search looks like a short one.

pub fn overhear(
    ask: &mut dyn FnMut(&[u32]) -> usize,
    vocabulary: u32,
    length: usize,
) -> Vec<u32> {
    let mut known = Vec::new();
    for _ in 0..length {
        for token in 0..vocabulary {
            known.push(token);
            if ask(&known) == known.len() {
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
        blocks => Some(vocabulary.wrapping_pow(block).wrapping_mul(blocks)),
    }
}
