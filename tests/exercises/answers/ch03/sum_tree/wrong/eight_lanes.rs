//? recognised: half of the lanes

pub fn sum_tree(lanes: [f32; 16]) -> f32 {
    let mut lanes = lanes;
    for half in [4, 2, 1] {
        for j in 0..half {
            lanes[j] += lanes[j + half];
        }
    }
    lanes[0]
}
