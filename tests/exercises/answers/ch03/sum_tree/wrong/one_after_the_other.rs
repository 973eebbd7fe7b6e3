//? recognised: one after the other
//? why: Adds from lane 0 to lane 15. Each addition waits for the one before it, and the bits are different.

pub fn sum_tree(lanes: [f32; 16]) -> f32 {
    lanes.iter().sum()
}
