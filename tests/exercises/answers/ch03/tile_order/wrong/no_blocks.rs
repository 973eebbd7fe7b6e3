//? recognised: finished before the next
//? why: Lets all of the weight pass by for every m rows of x. A long weight comes from memory again each time.

pub fn tile_order(
    rows: usize,
    columns: usize,
    block: usize,
    (m, n): (usize, usize),
) -> Vec<[usize; 2]> {
    let _ = block;
    let mut tiles = Vec::new();
    for row in (0..rows).step_by(m) {
        for column in (0..columns).step_by(n) {
            tiles.push([row, column]);
        }
    }
    tiles
}
