//? recognised: only two tokens
//? why: Compares two tokens, so it guesses after every second *of the*.

use std::collections::HashMap;

pub fn places(ids: &[u32]) -> Vec<Option<usize>> {
    let mut index = HashMap::new();
    let after = |count: usize| index.insert(ids[..count].last_chunk::<2>()?, count);
    (1..=ids.len()).map(after).collect()
}
