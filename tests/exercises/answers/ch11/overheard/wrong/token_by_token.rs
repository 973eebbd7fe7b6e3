//? recognised: a part of a block
//? why: Counts the questions for tokens. Whether three of four are right can't be seen.

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
    (length / u64::from(block) * u64::from(block)).checked_mul(vocabulary)
}
