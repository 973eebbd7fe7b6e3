//? title: A dot product with one shape for every CPU
//? page: ch03/lanes.md
//? section: The tree of sums
//? level: core
//? minutes: 30
//? call: check(answer::dot)
//? hint 1: Which lane does element k go to? Look at what one load of 16 numbers puts where.
//? hint 2: Element k goes to lane k % 16, in order of k, by `mul_add`. The tail goes to lanes like everything else; the lanes that it does not reach get a product of two zeros.
//? hint 3: Loop over `x.chunks(16).zip(w.chunks(16))`; for lane j take the j-th number or 0.0: `lanes[j] = a.mul_add(b, lanes[j])`. Then the fold of `sum_tree`.
//? why: The tail goes through the same instructions as everything else. The padded 0 * 0 changes a lane in one case only: a
//?   tiny negative product can make a lane -0.0, and adding 0.0 to it gives 0.0. So the padding is part of the definition. The fused multiply-add rounds once where `a * b + c` rounds twice. A CPU without that
//?   instruction computes the same bits more slowly.

//! The sum of x[k] * w[k] in the fixed shape of this course:
//!
//! - 16 lanes, all 0.0 at first. Lane j takes x[16 i + j] * w[16 i + j] for i = 0, 1, 2, ... in this order, each
//!   by one fused multiply-add: `x.mul_add(w, lane)`.
//! - If the length is no multiple of 16, the last block is padded with zeros in both: the missing products are 0 * 0.
//! - The 16 lanes are folded: j with j + 8, then j + 4, j + 2, j + 1.
//!
//! The check compares bits, for all lengths from 0 to 129.

// x: [n], w: [n]
pub fn dot(x: &[f32], w: &[f32]) -> f32 {
    //-- starter
    // todo!()
    //-- solution
    let mut lanes = [0.0f32; 16];
    for (x, w) in x.chunks(16).zip(w.chunks(16)) {
        for (j, lane) in lanes.iter_mut().enumerate() {
            let (a, b) = if j < x.len() { (x[j], w[j]) } else { (0.0, 0.0) };
            *lane = a.mul_add(b, *lane);
        }
    }
    for half in [8, 4, 2, 1] {
        for j in 0..half {
            lanes[j] += lanes[j + half];
        }
    }
    lanes[0]
    //-- end
}
