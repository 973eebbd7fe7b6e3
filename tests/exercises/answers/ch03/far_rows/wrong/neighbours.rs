//? recognised: neighbouring rows
//? why: Puts neighbouring rows into a group. For the memory that is a single stream.

pub fn far_rows(rows: usize, streams: usize) -> Vec<Vec<usize>> {
    let whole = rows / streams * streams;
    let mut groups: Vec<Vec<usize>> =
        (0..whole).collect::<Vec<_>>().chunks(streams).map(|group| group.to_vec()).collect();
    groups.extend((whole..rows).map(|row| vec![row]));
    groups
}
