//? recognised: exactly as many ranges as shares
//? why: Leaves the empty shares out. A thread that looks for its own range by its number then finds none.

use std::ops::Range;

pub fn split_rows(rows: usize, shares: usize) -> Vec<Range<usize>> {
    let (size, left_over) = (rows / shares, rows % shares);
    let mut start = 0;
    let mut ranges = Vec::new();
    for share in 0..shares {
        let end = start + size + usize::from(share < left_over);
        if start < end {
            ranges.push(start..end);
        }
        start = end;
    }
    ranges
}
