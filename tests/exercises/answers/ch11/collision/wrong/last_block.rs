//? recognised: the first block is
//? why: Changes the last block. Then the first blocks are the same text in both, and rightly have the same rows.

use exercise_kit::blocks::BLOCK;
use exercise_kit::prefix::{VOCABULARY, key};
use std::collections::HashMap;

pub fn another(text: &[u32]) -> Vec<u32> {
    let start = text.len() / BLOCK * BLOCK - BLOCK;
    let before = text[..start].chunks_exact(BLOCK).fold(0, |before, block| key(before, block));
    let wanted = key(before, &text[start..start + BLOCK]);
    for first in 0..VOCABULARY {
        for second in 0..VOCABULARY {
            let block = [first, second, text[start + 2], text[start + 3]];
            if key(before, &block) == wanted && block != text[start..start + BLOCK] {
                return [&text[..start], &block, &text[start + BLOCK..]].concat();
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
        for block in text.chunks_exact(BLOCK) {
            before = key(before, block);
            is_hit &= cache.contains_key(&before);
            let entered = *cache.entry(before).or_insert(request);
            rows.push(if is_hit { entered } else { request });
        }
        all.push(rows);
    }
    all
}
