//? recognised: 16 bits
//? why: Keeps the rows in 16 bits. The vocabulary has 151,936.

pub fn far_rows(rows: usize, streams: usize) -> Vec<Vec<usize>> {
    let rows = usize::from(rows as u16);
    let stride = rows / streams;
    let mut groups: Vec<Vec<usize>> =
        (0..stride).map(|r| (0..streams).map(|stream| stream * stride + r).collect()).collect();
    groups.extend((stride * streams..rows).map(|row| vec![row]));
    groups
}
