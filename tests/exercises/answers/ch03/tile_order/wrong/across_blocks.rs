//? recognised: begin where the block begins
//? why: Counts the tiles from the first row of the weight, and not from the block's. Where n does not divide the block, a tile reaches into the next one.

pub fn tile_order(
    rows: usize,
    columns: usize,
    block: usize,
    (m, n): (usize, usize),
) -> Vec<[usize; 2]> {
    let mut tiles = Vec::new();
    for start in (0..columns).step_by(block) {
        for row in (0..rows).step_by(m) {
            let first = start.next_multiple_of(n);
            for column in (first..(start + block).min(columns)).step_by(n) {
                tiles.push([row, column]);
            }
        }
    }
    tiles
}
