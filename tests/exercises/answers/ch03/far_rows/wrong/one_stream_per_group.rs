//? recognised: transposed
//? why: Has groups and streams exchanged: one group is one stream.

pub fn far_rows(rows: usize, streams: usize) -> Vec<Vec<usize>> {
    let stride = rows / streams;
    let mut groups: Vec<Vec<usize>> =
        (0..streams).map(|s| (0..stride).map(|r| s * stride + r).collect()).collect();
    groups.extend((stride * streams..rows).map(|row| vec![row]));
    groups
}
