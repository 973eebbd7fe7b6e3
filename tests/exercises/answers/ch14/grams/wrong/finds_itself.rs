//? recognised: find themselves
//? why: Enters the last three tokens before it looks for them, and so finds them every time. At their place there's no token yet.

use std::collections::HashMap;

pub fn places(ids: &[u32]) -> Vec<Option<usize>> {
    let mut index = HashMap::new();
    let after = |count: usize| {
        let last = ids[..count].last_chunk::<3>()?;
        index.insert(last, count);
        index.get(last).copied()
    };
    (1..=ids.len()).map(after).collect()
}
