//? recognised: past the last row
//? why: Compares with `<=`, so one share too many has an additional row, and the last one ends beyond the matrix.

use std::ops::Range;

pub fn split_rows(rows: usize, shares: usize) -> Vec<Range<usize>> {
    let (size, left_over) = (rows / shares, rows % shares);
    let mut start = 0;
    let mut ranges = Vec::new();
    for share in 0..shares {
        let end = start + size + usize::from(share <= left_over);
        ranges.push(start..end);
        start = end;
    }
    ranges
}
