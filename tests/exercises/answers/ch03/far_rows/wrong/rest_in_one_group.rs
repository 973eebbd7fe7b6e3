//? recognised: each in a group of its own
//? why: Puts the rows that are left over into one group. They are neighbours, and fewer than a group has.

pub fn far_rows(rows: usize, streams: usize) -> Vec<Vec<usize>> {
    let stride = rows / streams;
    let mut groups: Vec<Vec<usize>> =
        (0..stride).map(|r| (0..streams).map(|s| s * stride + r).collect()).collect();
    if stride * streams < rows {
        groups.push((stride * streams..rows).collect());
    }
    groups
}
