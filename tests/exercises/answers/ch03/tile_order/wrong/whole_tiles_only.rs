//? recognised: at the edges
//? why: Leaves out the tiles that are not full. Their outputs would never be written.

pub fn tile_order(
    rows: usize,
    columns: usize,
    block: usize,
    (m, n): (usize, usize),
) -> Vec<[usize; 2]> {
    let mut tiles = Vec::new();
    for start in (0..columns).step_by(block) {
        let end = (start + block).min(columns);
        for row in (0..rows).step_by(m).filter(|row| row + m <= rows) {
            for column in (start..end).step_by(n).filter(|column| column + n <= end) {
                tiles.push([row, column]);
            }
        }
    }
    tiles
}
