//? recognised: one after the other

pub fn sum_tree(lanes: [f32; 16]) -> f32 {
    lanes.iter().sum()
}
