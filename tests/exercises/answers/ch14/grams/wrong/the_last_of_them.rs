//? recognised: the third of the three
//? why: Returns the last of the three tokens, one before the one that followed.

use std::collections::HashMap;

pub fn places(ids: &[u32]) -> Vec<Option<usize>> {
    let mut index = HashMap::new();
    let after = |count: usize| index.insert(ids[..count].last_chunk::<3>()?, count - 1);
    (1..=ids.len()).map(after).collect()
}
