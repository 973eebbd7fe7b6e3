//? recognised: f64
//? why: Adds in `f64` and rounds once. That is nearer to the true sum, and no vector unit computes it.

pub fn sum_tree(lanes: [f32; 16]) -> f32 {
    lanes.iter().map(|&x| f64::from(x)).sum::<f64>() as f32
}
