//? recognised: in another order
//? why: Sorts the three tokens before it compares them, as a key made of their sum would. *The cat sat* isn't *sat the cat*.

use std::collections::HashMap;

pub fn places(ids: &[u32]) -> Vec<Option<usize>> {
    let mut index = HashMap::new();
    let after = |count: usize| {
        let mut last = *ids[..count].last_chunk::<3>()?;
        last.sort();
        index.insert(last, count)
    };
    (1..=ids.len()).map(after).collect()
}
