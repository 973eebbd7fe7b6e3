//? recognised: for each token
//? why: Looks for the whole text, then for all but its last token, and so on. Each is a look-up of its own, and a text has thousands of tokens.

use exercise_kit::prefix::Text;
use std::collections::BTreeMap;
use std::ops::Bound::{Included, Unbounded};

pub fn longest(texts: &BTreeMap<Text, u64>, text: &[u32]) -> Option<(usize, u64)> {
    for count in (1..=text.len()).rev() {
        let begin = &text[..count];
        let next = texts.range::<[u32], _>((Included(begin), Unbounded)).next();
        if let Some((_, value)) = next.filter(|(other, _)| other.tokens().starts_with(begin)) {
            return Some((count, *value));
        }
    }
    None
}

fn in_common(a: &[u32], b: &[u32]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
