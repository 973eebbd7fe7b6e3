//? recognised: come last
//? why: Computes the rows that are left over before all others.

pub fn far_rows(rows: usize, streams: usize) -> Vec<Vec<usize>> {
    let stride = rows / streams;
    let mut groups: Vec<Vec<usize>> = (stride * streams..rows).map(|row| vec![row]).collect();
    groups.extend((0..stride).map(|r| (0..streams).map(|s| s * stride + r).collect()));
    groups
}
