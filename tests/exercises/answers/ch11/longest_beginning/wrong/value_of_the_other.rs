//? recognised: value of another text
//? why: Takes the larger of the two counts and the value of the one before. These are the rows of another text.

use exercise_kit::prefix::Text;
use std::collections::BTreeMap;
use std::ops::Bound::{Excluded, Included, Unbounded};

pub fn longest(texts: &BTreeMap<Text, u64>, text: &[u32]) -> Option<(usize, u64)> {
    let before = texts.range::<[u32], _>((Unbounded, Included(text))).next_back();
    let behind = texts.range::<[u32], _>((Excluded(text), Unbounded)).next();
    let both = before.into_iter().chain(behind);
    let count = both.map(|(other, _)| in_common(other.tokens(), text)).max()?;
    let value = *before.or(behind)?.1;
    (count > 0).then_some((count, value))
}

fn in_common(a: &[u32], b: &[u32]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
