//? recognised: usize::MAX
//? why: Rounds up by adding `shares - 1` first. With a very large number of rows that sum does not fit into a `usize`.

use std::ops::Range;

pub fn split_rows(rows: usize, shares: usize) -> Vec<Range<usize>> {
    let longer = (rows + shares - 1) / shares;
    let count = if rows % shares == 0 { shares } else { rows % shares };
    let mut start = 0;
    (0..shares)
        .map(|share| {
            let size = if share < count { longer } else { longer - 1 };
            start += size;
            start - size..start
        })
        .collect()
}
