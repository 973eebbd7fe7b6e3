//? recognised: where the last one ended
//? why: Moves the last tile back so that it is full. Its outputs are computed twice.

pub fn tile_order(
    rows: usize,
    columns: usize,
    block: usize,
    (m, n): (usize, usize),
) -> Vec<[usize; 2]> {
    let mut tiles = Vec::new();
    for start in (0..columns).step_by(block) {
        let end = (start + block).min(columns);
        for row in (0..rows).step_by(m) {
            for column in (start..end).step_by(n) {
                let back = column.min(end.saturating_sub(n)).max(start);
                tiles.push([row.min(rows.saturating_sub(m)), back]);
            }
        }
    }
    tiles
}
