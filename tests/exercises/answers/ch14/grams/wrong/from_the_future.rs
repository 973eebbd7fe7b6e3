//? recognised: had not been written yet
//? why: Enters the whole text first and looks afterwards. It finds repetitions that are still to come, and when it matters there's nothing to come.

use std::collections::HashMap;

pub fn places(ids: &[u32]) -> Vec<Option<usize>> {
    let mut index = HashMap::new();
    for place in 3..ids.len() {
        index.insert(&ids[place - 3..place], place);
    }
    let after = |count: usize| index.get(&ids[count.checked_sub(3)?..count]).copied();
    (1..=ids.len()).map(after).collect()
}
