//? recognised: not in order
//? why: Returns the shares from the last to the first. Thread 0 then has the last rows.

use std::ops::Range;

pub fn split_rows(rows: usize, shares: usize) -> Vec<Range<usize>> {
    let (size, left_over) = (rows / shares, rows % shares);
    let mut start = 0;
    let mut ranges = Vec::with_capacity(shares);
    for share in 0..shares {
        let end = start + size + usize::from(share < left_over);
        ranges.push(start..end);
        start = end;
    }
    ranges.reverse();
    ranges
}
