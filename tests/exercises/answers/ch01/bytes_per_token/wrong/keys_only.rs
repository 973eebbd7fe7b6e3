//? recognised: only the keys
//? why: only the keys

pub fn bytes_per_token(
    w: u64,
    layers: u64,
    heads: u64,
    dim: u64,
    bytes: u64,
    depth: u64,
) -> u64 {
    w + layers * heads * dim * bytes * depth
}
