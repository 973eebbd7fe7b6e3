//? title: An order of rows that reads memory at several places
//? page: ch03/far-rows.md
//? section: The kernel for decode
//? level: core
//? minutes: 20
//? call: check(far_rows)
//? hint 1: Eight streams over 32 rows: at which row does each stream begin, and where does it end?
//? hint 2: The distance between streams is `rows / streams`, rounded down. Step r takes row r of every stream. What the division leaves over comes at the end, alone.
//? hint 3: `let stride = rows / streams;` then for r in 0..stride the group `(0..streams).map(|s| s * stride + r)`, and then for each row from `stride * streams` to `rows` a group of one.
//? why: A prefetcher follows a stream that moves forward. Neighbouring rows are one stream; rows that are a stride apart are
//?   several, and more of the memory's latency is hidden. The order of the rows changes nothing in the sum of any row, so
//?   the bits stay.

// A kernel for one token computes several rows of a weight matrix at once. Return the groups in the order in which they are
// computed: with `stride = rows / streams` (rounded down), group r is the rows r, r + stride, r + 2 stride, ...: `streams`
// of them, for r from 0 to stride - 1. Rows that are left over, when `streams` does not divide `rows`, come
// last, in order, each in a group of its own.
//
// This is not the rule of the book's `far_rows`, which rounds up and computes the last row again where a group is not full.
// Here every row appears once. `streams` is at least 1; there may be fewer rows than streams.
// Example: 10 rows, 4 streams: [0, 2, 4, 6], [1, 3, 5, 7], [8], [9].

pub fn far_rows(rows: usize, streams: usize) -> Vec<Vec<usize>> {
    //-- starter
    // todo!()
    //-- solution
    let stride = rows / streams;
    let mut groups: Vec<Vec<usize>> =
        (0..stride).map(|r| (0..streams).map(|stream| stream * stride + r).collect()).collect();
    groups.extend((stride * streams..rows).map(|row| vec![row]));
    groups
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::{Checked, Failure, call, same};

    pub fn check(answer: fn(usize, usize) -> Vec<Vec<usize>>) -> Checked {
        for (rows, streams) in
            [(12, 4), (10, 4), (32, 8), (3, 8), (5, 1), (0, 4), (1030, 257), (140_003, 2)]
        {
            let case = format!("{rows} rows, {streams} streams");
            let found = call(&case, || answer(rows, streams))?;
            if let Some(row) = found.iter().flatten().find(|&&row| row >= rows) {
                return Err(Failure::new(
                    &case,
                    format!("rows below {rows}"),
                    format!("row {row}"),
                )
                .likely("a group reaches past the last row"));
            }
            let stride = rows / streams;
            let whole = stride * streams;
            let far = groups(rows, streams);
            let neighbours = |length: usize| -> Vec<Vec<usize>> {
                let whole: Vec<usize> = (0..whole).collect();
                let left = (whole.len()..rows).map(|row| vec![row]);
                whole.chunks(length.max(1)).map(<[usize]>::to_vec).chain(left).collect()
            };
            let distance = rows.div_ceil(streams);
            let again = |first: usize| {
                (0..streams).map(|n| (first + n * distance).min(rows - 1)).collect()
            };
            same(
                &case,
                &far,
                &found,
                &[
                    (
                        "neighbouring rows are one stream; take rows a stride apart",
                        neighbours(streams),
                    ),
                    (
                        "the groups are transposed: a group takes one row of every stream",
                        neighbours(stride),
                    ),
                    ("the rows that are left over are missing", far[..stride].to_vec()),
                    (
                        "the rule of the page, which computes the last row again; here every row appears once",
                        (0..distance).map(again).collect(),
                    ),
                    (
                        "rows may need more than 16 bits",
                        groups(usize::from(rows as u16), streams),
                    ),
                ],
            )?;
        }
        Ok(())
    }

    fn groups(rows: usize, streams: usize) -> Vec<Vec<usize>> {
        let stride = rows / streams;
        let far = (0..stride).map(|r| (0..streams).map(|stream| stream * stride + r).collect());
        far.chain((stride * streams..rows).map(|row| vec![row])).collect()
    }
}
