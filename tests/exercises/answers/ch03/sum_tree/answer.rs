//? title: Sixteen lanes to one number, in one fixed order
//? page: ch03/lanes.md
//? section: The tree of sums
//? level: warm-up
//? minutes: 10
//? call: check(answer::sum_tree)
//? hint 1: Draw 16 boxes in a row. Cut the row in the middle and slide the right half over the left: which box covers box 0?
//? hint 2: Each fold halves the number of lanes: lane j takes lane j + 8, then j + 4, j + 2, j + 1.
//? hint 3: `for half in [8, 4, 2, 1] { for j in 0..half { lanes[j] += lanes[j + half]; } }`, and lane 0 holds the sum.
//? why: A register of 16 floats splits into two of 8, and one instruction adds them: lane j meets lane j + 8. Hardware of
//?   every width can fold like this, so it is an order that all backends can share.

//! Add 16 lanes to one number by folding: lane j and lane j + 8 (for j from 0 to 7), then of these j and j + 4, then j and
//! j + 2, then the last two. In each addition the lower lane is on the left.
//!
//! Floating-point addition rounds, so that another order gives other bits: the check compares bits.

// lanes: [16]
pub fn sum_tree(lanes: [f32; 16]) -> f32 {
    //-- starter
    // todo!()
    //-- solution
    let mut lanes = lanes;
    for half in [8, 4, 2, 1] {
        for j in 0..half {
            lanes[j] += lanes[j + half];
        }
    }
    lanes[0]
    //-- end
}
