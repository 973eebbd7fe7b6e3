//? recognised: exactly as many ranges as shares
//? why: Returns no range at all when there are no rows. Every thread has a share, even an empty one.

use std::ops::Range;

pub fn split_rows(rows: usize, shares: usize) -> Vec<Range<usize>> {
    if rows == 0 {
        return Vec::new();
    }
    let (size, left_over) = (rows / shares, rows % shares);
    let start = |share: usize| share * size + share.min(left_over);
    (0..shares).map(|share| start(share)..start(share + 1)).collect()
}
