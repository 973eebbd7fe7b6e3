//? recognised: as there are
//? why: Compares the text with every entry. The result is right, and takes as long as the cache is large.

use exercise_kit::prefix::Text;
use std::collections::BTreeMap;

pub fn longest(texts: &BTreeMap<Text, u64>, text: &[u32]) -> Option<(usize, u64)> {
    let found = texts.iter().map(|(other, value)| (in_common(other.tokens(), text), *value));
    found.filter(|(count, _)| *count > 0).max_by_key(|(count, _)| *count)
}

fn in_common(a: &[u32], b: &[u32]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
