//? recognised: which is 0
//? why: Divides `kv_heads` by `heads`, which is 0 in integers, and then divides by that.

use std::ops::Range;

pub fn readers(kv_head: usize, heads: usize, kv_heads: usize) -> Option<Range<usize>> {
    if kv_head >= kv_heads || heads % kv_heads != 0 {
        return None;
    }
    let group = heads / (heads / (kv_heads / heads));
    Some(kv_head * group..(kv_head + 1) * group)
}
