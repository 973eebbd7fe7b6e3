//? recognised: the last time counts
//? why: Keeps the place that was entered first. A text resembles what it has just said more than how it began.

use std::collections::HashMap;

pub fn places(ids: &[u32]) -> Vec<Option<usize>> {
    let mut index = HashMap::new();
    let after = |count: usize| {
        let last = ids[..count].last_chunk::<3>()?;
        let found = index.get(last).copied();
        index.entry(last).or_insert(count);
        found
    };
    (1..=ids.len()).map(after).collect()
}
