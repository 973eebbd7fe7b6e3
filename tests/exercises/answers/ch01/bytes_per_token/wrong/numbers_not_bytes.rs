//? recognised: numbers, not bytes
//? why: numbers, not bytes

pub fn bytes_per_token(
    w: u64,
    layers: u64,
    heads: u64,
    dim: u64,
    _bytes: u64,
    depth: u64,
) -> u64 {
    w + 2 * layers * heads * dim * depth
}
