//? recognised: weights are read once
//? why: weights are read once

pub fn bytes_per_token(
    w: u64,
    layers: u64,
    heads: u64,
    dim: u64,
    bytes: u64,
    depth: u64,
) -> u64 {
    (w + 2 * layers * heads * dim * bytes) * depth
}
