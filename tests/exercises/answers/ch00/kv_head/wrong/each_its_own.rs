//? recognised: share a head
//? why: share a head

pub fn kv_head(head: usize, _heads: usize, _kv_heads: usize) -> usize {
    head
}
