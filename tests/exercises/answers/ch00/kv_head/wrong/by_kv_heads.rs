//? recognised: how many share one
//? why: Uses the number of groups as the size of one.

use std::ops::Range;

pub fn readers(kv_head: usize, heads: usize, kv_heads: usize) -> Option<Range<usize>> {
    if kv_head >= kv_heads || heads % kv_heads != 0 {
        return None;
    }
    let group = heads / kv_heads;
    let _ = group;
    Some(kv_head * kv_heads..(kv_head + 1) * kv_heads)
}
