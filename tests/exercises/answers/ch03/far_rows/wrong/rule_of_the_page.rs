//? recognised: the rule of the page
//? why: Follows the rule of the chapter, which computes the last row more than once. Here every row appears once.

pub fn far_rows(rows: usize, streams: usize) -> Vec<Vec<usize>> {
    let distance = rows.div_ceil(streams);
    let row = |first: usize, stream: usize| (first + stream * distance).min(rows - 1);
    (0..distance).map(|first| (0..streams).map(|stream| row(first, stream)).collect()).collect()
}
