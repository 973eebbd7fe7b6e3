//? recognised: in two shares
//? why: Adds the additional row to the end of a share and not to the start of the next one. Two threads compute the same row.

use std::ops::Range;

pub fn split_rows(rows: usize, shares: usize) -> Vec<Range<usize>> {
    let (size, left_over) = (rows / shares, rows % shares);
    (0..shares)
        .map(|share| share * size..(share + 1) * size + usize::from(share < left_over))
        .collect()
}
