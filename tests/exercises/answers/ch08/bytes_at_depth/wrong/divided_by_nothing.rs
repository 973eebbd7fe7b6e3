//? recognised: costs nothing
//? why: Divides by the bytes of an earlier token, which are 0 if there are no layers.

type Shape = (u64, u64, u64, u64);

pub fn bytes(weights: u64, shape: Shape, bits: u64, depth: u64) -> u64 {
    weights + depth * position(shape, bits)
}

pub fn most_tokens(bytes: u64, gb_per_second: f64) -> f64 {
    gb_per_second * 1e9 / bytes as f64
}

pub fn even_depth(weights: u64, shape: Shape, bits: u64) -> Option<u64> {
    Some(weights.div_ceil(position(shape, bits)))
}

fn position((layers, _, kv_heads, head_dim): Shape, bits: u64) -> u64 {
    2 * layers * kv_heads * head_dim * bits / 8
}
