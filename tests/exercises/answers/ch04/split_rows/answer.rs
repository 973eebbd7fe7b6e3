//? title: Rows for several threads: shares that lose none
//? page: ch04/shares.md
//? section: Pieces, and who gets them
//? level: warm-up
//? minutes: 15
//? call: check(answer::split_rows)
//? hint 1: Deal ten rows to four threads like cards. How many has each after the last whole round, and who gets the rows that are left over?
//? hint 2: `rows / shares` is what every share has at least; the first `rows % shares` of them have one more. Neither number can overflow.
//? hint 3: Keep the end of the share before: `let end = start + rows / shares + usize::from(share < rows % shares);`, push `start..end`, and go on with `start = end`.
//? why: The quotient is the size that every share has, and the remainder says how many of them have one row more. Each share begins
//?   where the one before it ends, so no row can be lost or counted twice, and the ends never pass `rows`. The formula
//?   `share * rows / shares` is shorter. Its product overflows for large numbers, and its longer shares are spread out.

//! Split `rows` rows into `shares` shares, one for each thread. Return them as ranges, in order:
//!
//! - There are exactly `shares` ranges. Together they hold every row from 0 to `rows - 1` once, each range beginning
//!   where the one before it ends.
//! - Their sizes differ by at most one, and the longer ones come first.
//! - With fewer rows than shares, the first `rows` shares have a row each. The others are empty: `rows..rows`.
//!
//! `shares` is at least 1. `rows` may be any number, 0 and `usize::MAX` too.
//! Example: 10 rows, 4 shares: 0..3, 3..6, 6..8, 8..10.

use std::ops::Range;

pub fn split_rows(rows: usize, shares: usize) -> Vec<Range<usize>> {
    //-- starter
    // todo!()
    //-- solution
    let (size, left_over) = (rows / shares, rows % shares);
    let mut start = 0;
    let mut ranges = Vec::with_capacity(shares);
    for share in 0..shares {
        let end = start + size + usize::from(share < left_over);
        ranges.push(start..end);
        start = end;
    }
    ranges
    //-- end
}
