//? recognised: past the last row
//? why: Rounds the stride up, so the last stream runs past the last row.

pub fn far_rows(rows: usize, streams: usize) -> Vec<Vec<usize>> {
    let stride = rows.div_ceil(streams);
    (0..stride).map(|r| (0..streams).map(|s| s * stride + r).collect()).collect()
}
