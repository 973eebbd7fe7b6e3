//? recognised: NaN and infinity
//? why: Leaves out what is not a number. The sum is to show that something was wrong.

// lanes: [16]
pub fn sum_tree(lanes: [f32; 16]) -> f32 {
    let mut lanes = lanes.map(|x| if x.is_finite() { x } else { 0.0 });
    for half in [8, 4, 2, 1] {
        for j in 0..half {
            lanes[j] += lanes[j + half];
        }
    }
    lanes[0]
}
