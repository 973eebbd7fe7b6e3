//? recognised: any number of streams
//? why: Keeps the streams in a byte.

pub fn far_rows(rows: usize, streams: usize) -> Vec<Vec<usize>> {
    let streams = usize::from(streams as u8).max(1);
    let stride = rows / streams;
    let mut groups: Vec<Vec<usize>> =
        (0..stride).map(|r| (0..streams).map(|stream| stream * stride + r).collect()).collect();
    groups.extend((stride * streams..rows).map(|row| vec![row]));
    groups
}
