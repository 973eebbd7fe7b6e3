//? recognised: differ by more than one
//? why: Gives all rows to the first share when there are fewer rows than shares. Three rows for four threads could be computed at the same time.

use std::ops::Range;

pub fn split_rows(rows: usize, shares: usize) -> Vec<Range<usize>> {
    if rows < shares {
        let mut ranges = vec![rows..rows; shares];
        ranges[0] = 0..rows;
        return ranges;
    }
    let (size, left_over) = (rows / shares, rows % shares);
    let start = |share: usize| share * size + share.min(left_over);
    (0..shares).map(|share| start(share)..start(share + 1)).collect()
}
