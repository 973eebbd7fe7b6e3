//? recognised: 0 on 15
//? why: Folds so that the last lane meets the first. A register splits into two halves that keep their order.

pub fn sum_tree(lanes: [f32; 16]) -> f32 {
    let mut rest = lanes.to_vec();
    while rest.len() > 1 {
        let n = rest.len();
        rest = (0..n / 2).map(|j| rest[j] + rest[n - 1 - j]).collect();
    }
    rest[0]
}
