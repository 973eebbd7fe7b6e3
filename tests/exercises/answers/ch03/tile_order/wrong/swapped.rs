//? recognised: m counts rows of x
//? why: Has m and n exchanged.

pub fn tile_order(
    rows: usize,
    columns: usize,
    block: usize,
    (m, n): (usize, usize),
) -> Vec<[usize; 2]> {
    let mut tiles = Vec::new();
    for start in (0..columns).step_by(block) {
        for row in (0..rows).step_by(n) {
            for column in (start..(start + block).min(columns)).step_by(m) {
                tiles.push([row, column]);
            }
        }
    }
    tiles
}
