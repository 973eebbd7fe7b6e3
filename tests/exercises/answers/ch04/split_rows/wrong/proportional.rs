//? recognised: longer ones come first
//? why: Computes both ends as a part of the whole. The sizes are right, but the longer shares are not the first ones, and the product overflows for large numbers.

use std::ops::Range;

pub fn split_rows(rows: usize, shares: usize) -> Vec<Range<usize>> {
    (0..shares).map(|share| share * rows / shares..(share + 1) * rows / shares).collect()
}
