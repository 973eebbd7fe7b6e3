//? recognised: a byte does not hold
//? why: Cuts the numbers of the heads to a byte. Large models have more than 256 of them in reach of a wrong product.

use std::ops::Range;

pub fn readers(kv_head: usize, heads: usize, kv_heads: usize) -> Option<Range<usize>> {
    if kv_head >= kv_heads || !heads.is_multiple_of(kv_heads) {
        return None;
    }
    let group = heads / kv_heads;
    Some((kv_head * group) as u8 as usize..((kv_head + 1) * group) as u8 as usize)
}
