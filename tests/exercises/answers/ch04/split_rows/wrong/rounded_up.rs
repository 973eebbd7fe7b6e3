//? recognised: past the last row
//? why: Rounds the size up and does not look at the end. The last shares then have rows that do not exist.

use std::ops::Range;

pub fn split_rows(rows: usize, shares: usize) -> Vec<Range<usize>> {
    let size = rows.div_ceil(shares);
    (0..shares).map(|share| share * size..(share + 1) * size).collect()
}
