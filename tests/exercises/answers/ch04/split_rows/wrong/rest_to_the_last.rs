//? recognised: differ by more than one
//? why: Gives all rows that are left over to the last share. With 15 rows and 8 shares it has eight rows, and the other threads wait for it with one row each.

use std::ops::Range;

pub fn split_rows(rows: usize, shares: usize) -> Vec<Range<usize>> {
    let size = rows / shares;
    (0..shares)
        .map(|share| share * size..if share + 1 == shares { rows } else { (share + 1) * size })
        .collect()
}
