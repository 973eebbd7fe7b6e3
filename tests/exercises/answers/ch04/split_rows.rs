//? title: Rows for several threads: shares that lose none
//? page: ch04/shares.md
//? section: Chunks, and who gets them
//? level: warm-up
//? minutes: 15
//? call: check(split_rows)
//? hint 1: Deal ten rows to four threads like cards. How many has each after the last whole round, and who gets the rows that are left over?
//? hint 2: `rows / shares` is what every share has at least; the first `rows % shares` of them have one more. Neither number can overflow.
//? hint 3: Keep the end of the share before: `let end = start + rows / shares + usize::from(share < rows % shares);`, push `start..end`, and go on with `start = end`.
//? why: The quotient is the size that every share has, and the remainder says how many of them have one row more. Each share begins
//?   where the one before it ends, so no row can be lost or counted twice, and the ends never pass `rows`. The formula
//?   `share * rows / shares` is shorter. Its product overflows for large numbers, and its longer shares are spread out.

// Split `rows` rows into `shares` shares, one for each thread. Return them as ranges, in order:
//
// - There are exactly `shares` ranges. Together they hold every row from 0 to `rows - 1` once, each range beginning
//   where the one before it ends.
// - Their sizes differ by at most one, and the longer ones come first.
// - With fewer rows than shares, the first `rows` shares have a row each. The others are empty: `rows..rows`.
//
// `shares` is at least 1. `rows` may be any number, 0 and `usize::MAX` too.
// Example: 10 rows, 4 shares: 0..3, 3..6, 6..8, 8..10.

use std::ops::Range;

pub fn split_rows(rows: usize, shares: usize) -> Vec<Range<usize>> {
    //-- starter
    // todo!()
    //-- solution
    let (size, left_over) = (rows / shares, rows % shares);
    let mut start = 0;
    let mut ranges = Vec::with_capacity(shares);
    for share in 0..shares {
        let end = start + size + usize::from(share < left_over);
        ranges.push(start..end);
        start = end;
    }
    ranges
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::{Checked, Failure, call, call_or};
    use std::ops::Range;

    const LARGE: &str = "rows may be up to usize::MAX: no sum or product may pass it, and no float is exact there";

    pub fn check(answer: fn(usize, usize) -> Vec<Range<usize>>) -> Checked {
        let example = [(10, 4), (8, 4), (9, 4), (7, 1)];
        let small = (0..=40).flat_map(|rows| (1..=9).map(move |shares| (rows, shares)));
        let real =
            [(1024, 6), (3072, 7), (151_936, 5), (151_936, 64), (3, 1000), (100_000, 70_000)];
        for (rows, shares) in example.into_iter().chain(small).chain(real) {
            let case = format!("{rows} rows, {shares} shares");
            let found = call(&case, || answer(rows, shares))?;
            compare(&case, rows, shares, &found)?;
        }
        let most = usize::MAX;
        for (rows, shares) in [(most, 1), (most, 2), (most, 3), (most, 16), (most - 1, 2)] {
            let case = format!("{rows} rows, {shares} shares");
            let found = call_or(&case, "no panic", LARGE, || answer(rows, shares))?;
            compare(&case, rows, shares, &found).map_err(|failure| failure.likely(LARGE))?;
        }
        Ok(())
    }

    fn compare(case: &str, rows: usize, shares: usize, found: &[Range<usize>]) -> Checked {
        let longer = rows % shares;
        let start = |share: usize| share * (rows / shares) + share.min(longer);
        let expected: Vec<_> =
            (0..shares).map(|share| start(share)..start(share + 1)).collect();
        if found == expected {
            return Ok(());
        }
        let failure = Failure::new(case, shown(&expected), shown(found));
        Err(failure.likely(reason(rows, shares, found).unwrap_or_default()))
    }

    /// Long lists are cut: the message is for people.
    fn shown(ranges: &[Range<usize>]) -> String {
        match ranges.len() {
            0..=16 => format!("{ranges:?}"),
            count => format!("{:?} and {} more", &ranges[..16], count - 16),
        }
    }

    /// Which line of the task the ranges break.
    fn reason(rows: usize, shares: usize, found: &[Range<usize>]) -> Option<&'static str> {
        if found.len() != shares {
            return Some("there must be exactly as many ranges as shares, empty ones included");
        }
        if found.iter().any(|range| range.end > rows || range.start > rows) {
            return Some("a share goes past the last row, which is rows - 1");
        }
        let mut next = 0;
        for range in found {
            if range.start > next {
                return Some(
                    "some rows are in no share: each begins where the one before it ends",
                );
            }
            if range.start < next || range.end < next {
                return Some("a share begins before the end of the one before it");
            }
            next = range.end;
        }
        if next < rows {
            return Some(
                "the last rows are in no share: what the division leaves over belongs to somebody",
            );
        }
        let sizes: Vec<usize> = found.iter().map(Range::len).collect();
        if sizes.iter().max() > sizes.iter().min().map(|least| least + 1).as_ref() {
            return Some(
                "the sizes differ by more than one: the threads wait for the longest share",
            );
        }
        Some("the sizes are right, but the longer ones come first")
    }
}
