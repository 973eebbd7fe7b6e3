//? recognised: an f32
//? why: Divides in f32, which has seven digits.

type Shape = (u64, u64, u64, u64);

pub fn bytes(weights: u64, shape: Shape, bits: u64, depth: u64) -> u64 {
    weights + depth * position(shape, bits)
}

pub fn most_tokens(bytes: u64, gb_per_second: f64) -> f64 {
    f64::from(gb_per_second as f32 * 1e9 / bytes as f32)
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
