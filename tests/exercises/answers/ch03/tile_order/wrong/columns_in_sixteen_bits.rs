//? recognised: 16 bits
//? why: Keeps the columns in 16 bits. The vocabulary has 151,936.

pub fn tile_order(
    rows: usize,
    columns: usize,
    block: usize,
    (m, n): (usize, usize),
) -> Vec<[usize; 2]> {
    let columns = usize::from(columns as u16);
    let mut tiles = Vec::new();
    for start in (0..columns).step_by(block) {
        for row in (0..rows).step_by(m) {
            for column in (start..(start + block).min(columns)).step_by(n) {
                tiles.push([row, column]);
            }
        }
    }
    tiles
}
