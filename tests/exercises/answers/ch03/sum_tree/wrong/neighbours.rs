//? recognised: neighbours
//? why: Adds 0 and 1, 2 and 3, and so on. Sixteen lanes of two registers cannot be added in this order without shuffling.

pub fn sum_tree(lanes: [f32; 16]) -> f32 {
    let mut rest = lanes.to_vec();
    while rest.len() > 1 {
        rest = rest.chunks(2).map(|pair| pair[0] + pair[1]).collect();
    }
    rest[0]
}
