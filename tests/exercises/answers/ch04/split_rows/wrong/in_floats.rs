//? recognised: usize::MAX
//? why: Computes the ends with floats. A float of 64 bits has 53 for the digits, so a large number of rows is not exact.

use std::ops::Range;

pub fn split_rows(rows: usize, shares: usize) -> Vec<Range<usize>> {
    let (size, left_over) = (rows as f64 / shares as f64, rows % shares);
    let size = size.floor() as usize;
    let end = |share: usize| (share * size).saturating_add(share.min(left_over));
    (0..shares).map(|share| end(share)..end(share + 1)).collect()
}
