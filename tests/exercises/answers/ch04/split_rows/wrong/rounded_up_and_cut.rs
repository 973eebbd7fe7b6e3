//? recognised: differ by more than one
//? why: Rounds the size up and cuts the last shares off at the end. No row is lost, but nine rows for four threads become 3, 3, 3 and 0: one thread has nothing to do.

use std::ops::Range;

pub fn split_rows(rows: usize, shares: usize) -> Vec<Range<usize>> {
    let size = rows.div_ceil(shares);
    (0..shares)
        .map(|share| {
            let start = share.saturating_mul(size).min(rows);
            start..start.saturating_add(size).min(rows)
        })
        .collect()
}
