//? recognised: stands behind it
//? why: Looks at the one before. With `[1, 2]` and `[1, 3, 4]` in the map, `[1, 3]` has both its tokens in common with the one behind.

use exercise_kit::prefix::Text;
use std::collections::BTreeMap;
use std::ops::Bound::{Excluded, Included, Unbounded};

pub fn longest(texts: &BTreeMap<Text, u64>, text: &[u32]) -> Option<(usize, u64)> {
    let before = texts.range::<[u32], _>((Unbounded, Included(text))).next_back();
    let behind = texts.range::<[u32], _>((Excluded(text), Unbounded)).next();
    let both = before.into_iter();
    let found = both.map(|(other, value)| (in_common(other.tokens(), text), *value));
    found.filter(|(count, _)| *count > 0).max_by_key(|(count, _)| *count)
}

fn in_common(a: &[u32], b: &[u32]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
