//? recognised: need not even fit
//? why: Computes the range before it looks whether there is such a head. For a very large number the product overflows.

use std::ops::Range;

pub fn readers(kv_head: usize, heads: usize, kv_heads: usize) -> Option<Range<usize>> {
    let range = kv_head * (heads / kv_heads.max(1))..(kv_head + 1) * (heads / kv_heads.max(1));
    if kv_head >= kv_heads || !heads.is_multiple_of(kv_heads) {
        return None;
    }
    Some(range)
}
