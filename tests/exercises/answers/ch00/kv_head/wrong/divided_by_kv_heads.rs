//? recognised: the size of a group
//? why: the size of a group

pub fn kv_head(head: usize, _heads: usize, kv_heads: usize) -> usize {
    head / kv_heads
}
