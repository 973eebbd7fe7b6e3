//? recognised: the text itself
//? why: Asks the map for the text. It finds a text that has been there before, and no beginning of one.

use exercise_kit::prefix::Text;
use std::collections::BTreeMap;

pub fn longest(texts: &BTreeMap<Text, u64>, text: &[u32]) -> Option<(usize, u64)> {
    texts.get(text).filter(|_| !text.is_empty()).map(|value| (text.len(), *value))
}

fn in_common(a: &[u32], b: &[u32]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
