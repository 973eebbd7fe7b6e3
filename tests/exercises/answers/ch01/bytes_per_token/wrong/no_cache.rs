//? recognised: keys and values are missing
//? why: keys and values are missing

pub fn bytes_per_token(w: u64, _l: u64, _h: u64, _dim: u64, _bytes: u64, _depth: u64) -> u64 {
    w
}
