//? recognised: the longer of the two
//? why: Takes the longer one of the two neighbours. What counts is what they have in common with the text.

use exercise_kit::prefix::Text;
use std::collections::BTreeMap;
use std::ops::Bound::{Excluded, Included, Unbounded};

pub fn longest(texts: &BTreeMap<Text, u64>, text: &[u32]) -> Option<(usize, u64)> {
    let before = texts.range::<[u32], _>((Unbounded, Included(text))).next_back();
    let behind = texts.range::<[u32], _>((Excluded(text), Unbounded)).next();
    let both = before.into_iter().chain(behind);
    let longer = both.max_by_key(|(other, _)| other.tokens().len());
    let found = longer.map(|(other, value)| (in_common(other.tokens(), text), *value));
    found.filter(|(count, _)| *count > 0)
}

fn in_common(a: &[u32], b: &[u32]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
