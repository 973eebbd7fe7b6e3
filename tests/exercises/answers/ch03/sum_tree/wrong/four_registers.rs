//? recognised: four registers
//? why: Adds four groups of four lanes one after the other, as a NEON loop might. Every instruction set must fold in the same order.

pub fn sum_tree(lanes: [f32; 16]) -> f32 {
    let four: Vec<f32> =
        (0..4).map(|j| ((lanes[j] + lanes[j + 4]) + lanes[j + 8]) + lanes[j + 12]).collect();
    (four[0] + four[2]) + (four[1] + four[3])
}
