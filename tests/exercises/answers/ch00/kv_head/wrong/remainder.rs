//? recognised: neighbours share
//? why: neighbours share

pub fn kv_head(head: usize, _heads: usize, kv_heads: usize) -> usize {
    head % kv_heads
}
