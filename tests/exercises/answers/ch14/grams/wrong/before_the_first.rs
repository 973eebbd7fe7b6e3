//? recognised: one answer for each token
//? why: Begins with the text that has no token at all, so each answer is one too late.

use std::collections::HashMap;

pub fn places(ids: &[u32]) -> Vec<Option<usize>> {
    let mut index = HashMap::new();
    let after = |count: usize| index.insert(ids[..count].last_chunk::<3>()?, count);
    (0..=ids.len()).map(after).collect()
}
