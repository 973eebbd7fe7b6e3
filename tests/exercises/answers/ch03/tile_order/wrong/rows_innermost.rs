//? recognised: rows of x stay
//? why: Lets all rows of x pass by for every n rows of the weight, inside a block. The rows of x do not fit into L1.

pub fn tile_order(
    rows: usize,
    columns: usize,
    block: usize,
    (m, n): (usize, usize),
) -> Vec<[usize; 2]> {
    let mut tiles = Vec::new();
    for start in (0..columns).step_by(block) {
        for column in (start..(start + block).min(columns)).step_by(n) {
            for row in (0..rows).step_by(m) {
                tiles.push([row, column]);
            }
        }
    }
    tiles
}
