//? recognised: count in usize
//? why: Counts in 16 bits.

use std::ops::Range;

pub fn readers(kv_head: usize, heads: usize, kv_heads: usize) -> Option<Range<usize>> {
    if kv_head >= kv_heads || !heads.is_multiple_of(kv_heads) {
        return None;
    }
    let group = heads / kv_heads;
    let start = usize::from((kv_head * group) as u16);
    Some(start..start + group)
}
