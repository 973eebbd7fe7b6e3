//? recognised: every layer
//? why: every layer

pub fn bytes_per_token(
    w: u64,
    _layers: u64,
    heads: u64,
    dim: u64,
    bytes: u64,
    depth: u64,
) -> u64 {
    w + 2 * heads * dim * bytes * depth
}
