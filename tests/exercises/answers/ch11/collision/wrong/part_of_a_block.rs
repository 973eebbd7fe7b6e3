//? recognised: not whole
//? why: Cuts with `chunks`, so that a rest of a block has a key too.

use exercise_kit::blocks::BLOCK;
use exercise_kit::prefix::{VOCABULARY, key};
use std::collections::HashMap;

pub fn another(text: &[u32]) -> Vec<u32> {
    let wanted = key(0, &text[..BLOCK]);
    for first in 0..VOCABULARY {
        for second in 0..VOCABULARY {
            let block = [first, second, text[2], text[3]];
            if key(0, &block) == wanted && block != text[..BLOCK] {
                return [&block, &text[BLOCK..]].concat();
            }
        }
    }
    unreachable!("there are many more blocks than keys")
}

pub fn served(requests: &[Vec<u32>]) -> Vec<Vec<usize>> {
    let mut cache: HashMap<u16, usize> = HashMap::new();
    let mut all = Vec::new();
    for (request, text) in requests.iter().enumerate() {
        let (mut before, mut is_hit) = (0, true);
        let mut rows = Vec::new();
        for block in text.chunks(BLOCK) {
            before = key(before, block);
            is_hit &= cache.contains_key(&before);
            let entered = *cache.entry(before).or_insert(request);
            rows.push(if is_hit { entered } else { request });
        }
        all.push(rows);
    }
    all
}
