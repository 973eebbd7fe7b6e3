//? recognised: cannot be shared out evenly
//? why: Rounds the size of a group down. The query heads that are left over read nothing.

use std::ops::Range;

pub fn readers(kv_head: usize, heads: usize, kv_heads: usize) -> Option<Range<usize>> {
    if kv_head >= kv_heads {
        return None;
    }
    let group = heads / kv_heads;
    Some(kv_head * group..(kv_head + 1) * group)
}
