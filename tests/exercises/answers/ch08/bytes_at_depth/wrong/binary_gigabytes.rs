//? recognised: 2^30
//? why: Takes a GB for 2<sup>30</sup> bytes, and promises 7 % too much.

type Shape = (u64, u64, u64, u64);

pub fn bytes(weights: u64, shape: Shape, bits: u64, depth: u64) -> u64 {
    weights + depth * position(shape, bits)
}

pub fn most_tokens(bytes: u64, gb_per_second: f64) -> f64 {
    gb_per_second * (1u64 << 30) as f64 / bytes as f64
}

pub fn even_depth(weights: u64, shape: Shape, bits: u64) -> Option<u64> {
    match position(shape, bits) {
        0 => None,
        position => Some(weights.div_ceil(position)),
    }
}

fn position((layers, _, kv_heads, head_dim): Shape, bits: u64) -> u64 {
    2 * layers * kv_heads * head_dim * bits / 8
}
