//? recognised: exactly as many
//? why: Keeps the number of shares in 16 bits.

use std::ops::Range;

pub fn split_rows(rows: usize, shares: usize) -> Vec<Range<usize>> {
    let shares = usize::from(shares as u16).max(1);
    let (size, left_over) = (rows / shares, rows % shares);
    let mut start = 0;
    let mut ranges = Vec::with_capacity(shares);
    for share in 0..shares {
        let end = start + size + usize::from(share < left_over);
        ranges.push(start..end);
        start = end;
    }
    ranges
}
