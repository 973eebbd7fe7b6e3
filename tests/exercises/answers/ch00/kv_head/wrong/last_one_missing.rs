//? recognised: ends after its last
//? why: Ends the range at the last head of the group. A Rust range ends one later.

use std::ops::Range;

pub fn readers(kv_head: usize, heads: usize, kv_heads: usize) -> Option<Range<usize>> {
    if kv_head >= kv_heads || heads % kv_heads != 0 {
        return None;
    }
    let group = heads / kv_heads;
    Some(kv_head * group..(kv_head + 1) * group - 1)
}
