//? recognised: 0.0 was added
//? why: Starts from 0.0 and adds the fold to it. If all lanes are minus zero, the sum should be too.

pub fn sum_tree(lanes: [f32; 16]) -> f32 {
    let mut lanes = lanes;
    for half in [8, 4, 2, 1] {
        for j in 0..half {
            lanes[j] += lanes[j + half];
        }
    }
    0.0 + lanes[0]
}
