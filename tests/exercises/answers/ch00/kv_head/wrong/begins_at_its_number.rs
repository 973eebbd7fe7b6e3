//? recognised: the groups overlap
//? why: Begins at `kv_head` itself. The groups would overlap, and most query heads would belong to none.

use std::ops::Range;

pub fn readers(kv_head: usize, heads: usize, kv_heads: usize) -> Option<Range<usize>> {
    if kv_head >= kv_heads || heads % kv_heads != 0 {
        return None;
    }
    let group = heads / kv_heads;
    Some(kv_head..kv_head + group)
}
