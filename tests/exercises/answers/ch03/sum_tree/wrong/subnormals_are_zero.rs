//? recognised: smallest
//? why: Takes the smallest numbers for zero.

// lanes: [16]
pub fn sum_tree(lanes: [f32; 16]) -> f32 {
    let mut lanes = lanes.map(|x| if x.is_subnormal() { 0.0 } else { x });
    for half in [8, 4, 2, 1] {
        for j in 0..half {
            lanes[j] += lanes[j + half];
        }
    }
    lanes[0]
}
