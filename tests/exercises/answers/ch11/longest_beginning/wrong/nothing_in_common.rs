//? recognised: nothing in common
//? why: Returns a neighbour even if it has nothing in common with the text.

use exercise_kit::prefix::Text;
use std::collections::BTreeMap;
use std::ops::Bound::{Excluded, Included, Unbounded};

pub fn longest(texts: &BTreeMap<Text, u64>, text: &[u32]) -> Option<(usize, u64)> {
    let before = texts.range::<[u32], _>((Unbounded, Included(text))).next_back();
    let behind = texts.range::<[u32], _>((Excluded(text), Unbounded)).next();
    let both = before.into_iter().chain(behind);
    let found = both.map(|(other, value)| (in_common(other.tokens(), text), *value));
    found.max_by_key(|(count, _)| *count)
}

fn in_common(a: &[u32], b: &[u32]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
