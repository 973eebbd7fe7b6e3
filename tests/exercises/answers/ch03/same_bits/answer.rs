//? title: Where two results first differ, to the bit
//? page: ch03/same-bits.md
//? section: What "the same" means
//? level: warm-up
//? minutes: 10
//? call: check(answer::first_difference)
//? hint 1: `==` on floats is not a question about bits: find two numbers that are equal with different bits, and one that is not equal to itself.
//? hint 2: `to_bits()` gives a u32, and u32s compare as one expects. What about two slices of different lengths?
//? hint 3: `left.iter().zip(right).position(|(l, r)| l.to_bits() != r.to_bits())`, and when that finds nothing but the lengths differ, the answer is the shorter length.
//? why: 0.0 == -0.0 is true, although their bits differ. NaN == NaN is false, although they may be the same. A tolerance would
//?   hide the very thing this test is for: a sum in another order is always near. And `zip` stops at the end of the shorter
//?   slice, so the lengths need a line of their own.

//! A kernel promises the bits of its scalar twin. Return the first index at which two results differ in their
//! bits, or `None` when they are the same.
//!
//! Zero and minus zero are different bits; a NaN is the same as a NaN with the same bits. If one slice is a
//! beginning of the other, the first index that only the longer one has is the difference.

// left: [n], right: [m]
pub fn first_difference(left: &[f32], right: &[f32]) -> Option<usize> {
    //-- starter
    // todo!()
    //-- solution
    let differing = left.iter().zip(right).position(|(l, r)| l.to_bits() != r.to_bits());
    let shorter = left.len().min(right.len());
    differing.or((left.len() != right.len()).then_some(shorter))
    //-- end
}
