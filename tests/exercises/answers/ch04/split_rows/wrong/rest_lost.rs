//? recognised: in no share
//? why: Gives every share `rows / shares` rows. What the division leaves over is computed by no thread.

use std::ops::Range;

pub fn split_rows(rows: usize, shares: usize) -> Vec<Range<usize>> {
    let size = rows / shares;
    (0..shares).map(|share| share * size..(share + 1) * size).collect()
}
