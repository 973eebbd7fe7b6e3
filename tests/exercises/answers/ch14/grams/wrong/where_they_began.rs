//? recognised: where the three tokens begin
//? why: Returns the first of the three tokens. A guess from there would say again what the text has just said.

use std::collections::HashMap;

pub fn places(ids: &[u32]) -> Vec<Option<usize>> {
    let mut index = HashMap::new();
    let after = |count: usize| index.insert(ids[..count].last_chunk::<3>()?, count - 3);
    (1..=ids.len()).map(after).collect()
}
