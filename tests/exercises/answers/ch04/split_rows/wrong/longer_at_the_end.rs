//? recognised: longer ones come first
//? why: Gives the rows that are left over to the last shares, one each. That is as fair, but it is not what was asked for.

use std::ops::Range;

pub fn split_rows(rows: usize, shares: usize) -> Vec<Range<usize>> {
    let (size, left_over) = (rows / shares, rows % shares);
    let mut start = 0;
    let mut ranges = Vec::new();
    for share in 0..shares {
        let end = start + size + usize::from(share >= shares - left_over);
        ranges.push(start..end);
        start = end;
    }
    ranges
}
