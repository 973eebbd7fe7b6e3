//? title: A key in eight bits, and how far off its score can be
//? page: ch08/error.md
//? section: What the rounding costs
//? level: core
//? minutes: 35
//? call: check(answer::write, answer::read, answer::most_off)
//? hint 1: Take a block whose largest number is 12.7, and steps of 0.1. Which integers do 12.7, 0.34 and -0.06 become, and how far off is each when it comes back? Which of the three was rounded worst, and could another number have been worse?
//? hint 2: The scale is the largest absolute value of *its* block, divided by 127, and an integer is the number divided by the scale, rounded to the nearest. So a number comes back off by half a scale at most. In the score each of these errors is multiplied by a number of the query. They add up to the most where each has the sign that its product needs.
//? hint 3: `row.as_chunks::<32>().0` gives the blocks. In each, `let largest = x.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));`, the scale is `largest / 127.0`, and an integer is `(x / scale).round() as i8`. For a block of zeros that's 0 / 0, which is NaN, and `NaN as i8` is 0 in Rust. `most_off` adds up `scale / 2.0 * q.abs()`, for each number of the query with the scale of its block.
//? why: The largest number of a block becomes 127 or -127, so that no step of the byte is wasted; with 128 it would have no
//?   integer on the positive side. Rounding leaves half a step at most, whatever the number was: a small number beside a large
//?   one is off by as much as the large one, which for it can be everything. That's why blocks are short and have scales of
//?   their own. One large number spoils its own block, and not the row. `most_off` is what no score can exceed, and what hardly
//?   any reaches: all 128 errors would have to be half a step, each with the right sign. Errors of random signs mostly cancel,
//?   and the usual difference is nearer to the root of the sum of their squares. A bound is there for the day when they don't.

//! Sixteen bits halve the cache. Eight would nearly halve it again, stored as the weights are in Q8_0: in blocks of 32
//! numbers, each block with a scale and 32 signed integers of a byte. (The scale of Q8_0 has sixteen bits. Here it's an
//! `f32`, so that you needn't round that as well.) Three functions say how that goes, and what it costs:
//!
//! - `write`: the scale of a block is its largest absolute value, divided by 127. Each integer is chosen so that scale *
//!   integer is as near to its number as possible; if two are as near, take either. 32 zeros have the scale 0 and
//!   integers of 0.
//! - `read`: the row as it comes back.
//! - `most_off`: a score is the sum of all q * k, where q is a number of the query and k one of the key. With the key as
//!   it comes back from eight bits, it's another sum. By how much can the two differ at most? You have the query and the
//!   key's blocks, and nobody remembers the key. Each of its numbers may have been moved as far as rounding can move it,
//!   up or down. (The largest one of a block comes back as it was. Treat it like the others.)
//!
//! The bound is meant in exact arithmetic; yours may be off by a hundred-thousandth of it. The length of a row is a
//! multiple of 32, and may be 0. Its numbers are 0, or between 1e-20 and 1e6 in size, with either sign.

/// A scale and 32 integers.
type Block = (f32, [i8; 32]);

// row: [n] -> [n / 32]
pub fn write(row: &[f32]) -> Vec<Block> {
    //-- starter
    // todo!()
    //-- solution
    let block = |x: &[f32; 32]| {
        let largest = x.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
        let scale = largest / 127.0;
        // In a block of zeros 0 / 0 is NaN, which `as i8` makes 0.
        (scale, x.map(|x| (x / scale).round() as i8))
    };
    row.as_chunks().0.iter().map(block).collect()
    //-- end
}

// blocks: [n / 32] -> [n]
pub fn read(blocks: &[Block]) -> Vec<f32> {
    //-- starter
    // todo!()
    //-- solution
    let numbers = |(scale, integers): &Block| integers.map(|i| scale * f32::from(i));
    blocks.iter().flat_map(numbers).collect()
    //-- end
}

// query: [n], key: [n / 32]
pub fn most_off(query: &[f32], key: &[Block]) -> f32 {
    //-- starter
    // todo!()
    //-- solution
    let of_block = |(q, (scale, _)): (&[f32; 32], &Block)| {
        scale / 2.0 * q.iter().map(|q| q.abs()).sum::<f32>()
    };
    query.as_chunks().0.iter().zip(key).map(of_block).sum()
    //-- end
}
