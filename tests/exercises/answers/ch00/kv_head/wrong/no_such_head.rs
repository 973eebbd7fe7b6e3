//? recognised: there is no such head
//? why: Answers for a key-value head that the model does not have.

use std::ops::Range;

pub fn readers(kv_head: usize, heads: usize, kv_heads: usize) -> Option<Range<usize>> {
    if kv_heads == 0 || heads % kv_heads != 0 {
        return None;
    }
    let group = heads / kv_heads;
    Some(kv_head * group..(kv_head + 1) * group)
}
