//? recognised: half of the lanes
//? why: Begins with a fold by 4. The upper eight lanes are never added.

pub fn sum_tree(lanes: [f32; 16]) -> f32 {
    let mut lanes = lanes;
    for half in [4, 2, 1] {
        for j in 0..half {
            lanes[j] += lanes[j + half];
        }
    }
    lanes[0]
}
