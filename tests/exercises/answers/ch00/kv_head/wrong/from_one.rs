//? recognised: counted from 1
//? why: Counts the query heads from 1.

use std::ops::Range;

pub fn readers(kv_head: usize, heads: usize, kv_heads: usize) -> Option<Range<usize>> {
    if kv_head >= kv_heads || heads % kv_heads != 0 {
        return None;
    }
    let group = heads / kv_heads;
    Some(kv_head * group + 1..(kv_head + 1) * group + 1)
}
