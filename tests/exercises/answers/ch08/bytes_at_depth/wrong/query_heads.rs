//? recognised: for every query head
//? why: Counts a key and a value for every query head. Two query heads of Qwen3 share theirs, and what is shared is read once.

type Shape = (u64, u64, u64, u64);

pub fn bytes(weights: u64, shape: Shape, bits: u64, depth: u64) -> u64 {
    weights + depth * position(shape, bits)
}

pub fn most_tokens(bytes: u64, gb_per_second: f64) -> f64 {
    gb_per_second * 1e9 / bytes as f64
}

pub fn even_depth(weights: u64, shape: Shape, bits: u64) -> Option<u64> {
    match position(shape, bits) {
        0 => None,
        position => Some(weights.div_ceil(position)),
    }
}

fn position((layers, heads, _, head_dim): Shape, bits: u64) -> u64 {
    2 * layers * heads * head_dim * bits / 8
}
