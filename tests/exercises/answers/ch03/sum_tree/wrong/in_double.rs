//? recognised: f64

pub fn sum_tree(lanes: [f32; 16]) -> f32 {
    lanes.iter().map(|&x| f64::from(x)).sum::<f64>() as f32
}
