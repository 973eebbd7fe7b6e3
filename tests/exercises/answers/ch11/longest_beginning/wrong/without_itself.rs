//? recognised: the text itself is in the map
//? why: Leaves the text itself out on both sides. If it's in the map, it's the best that there is.

use exercise_kit::prefix::Text;
use std::collections::BTreeMap;
use std::ops::Bound::{Excluded, Unbounded};

pub fn longest(texts: &BTreeMap<Text, u64>, text: &[u32]) -> Option<(usize, u64)> {
    let before = texts.range::<[u32], _>((Unbounded, Excluded(text))).next_back();
    let behind = texts.range::<[u32], _>((Excluded(text), Unbounded)).next();
    let both = before.into_iter().chain(behind);
    let found = both.map(|(other, value)| (in_common(other.tokens(), text), *value));
    found.filter(|(count, _)| *count > 0).max_by_key(|(count, _)| *count)
}

fn in_common(a: &[u32], b: &[u32]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
