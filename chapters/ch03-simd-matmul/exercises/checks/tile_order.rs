use exercise_kit::{Checked, call, same};

type Tile = (usize, usize);

pub fn check(answer: impl Fn(usize, usize, usize, Tile) -> Vec<[usize; 2]>) -> Checked {
    for (rows, columns, block, tile) in [
        (3, 5, 4, (2, 2)),
        (5, 10, 6, (2, 3)),
        (4, 12, 12, (2, 3)),
        (5, 20, 7, (2, 3)),
        (1, 9, 48, (6, 4)),
        (0, 9, 4, (2, 2)),
        (3, 0, 4, (2, 2)),
        (7, 100, 48, (6, 4)),
        (2, 70_001, 48, (3, 2)),
    ] {
        let (m, n) = tile;
        let case =
            format!("{rows} rows, {columns} columns, blocks of {block}, tiles of {m} x {n}");
        let found = call(&case, || answer(rows, columns, block, tile))?;
        let expected = order(rows, columns, block, tile);
        let full = |&[row, column]: &[usize; 2]| {
            let end = (column / block * block + block).min(columns);
            row + m <= rows && column + n <= end
        };
        let back = |&[row, column]: &[usize; 2]| {
            let start = column / block * block;
            let end = (start + block).min(columns);
            [row.min(rows.saturating_sub(m)), column.min(end.saturating_sub(n)).max(start)]
        };
        let mut by_column = expected.clone();
        by_column.sort_by_key(|&[row, column]| (column / block, column, row));
        let mut across = Vec::new();
        for start in (0..columns).step_by(block) {
            let end = (start + block).min(columns);
            for row in (0..rows).step_by(m) {
                let columns = (start.next_multiple_of(n)..end).step_by(n);
                across.extend(columns.map(|column| [row, column]));
            }
        }
        same(
            &case,
            &expected,
            &found,
            &[
                (
                    "a block is finished before the next one begins: blocks are the outermost loop",
                    order(rows, columns, columns.max(1), tile),
                ),
                (
                    "m rows of x stay near for a whole line of tiles: the block's rows are the innermost loop",
                    by_column,
                ),
                (
                    "tiles that are not full are missing: at the edges they are smaller",
                    expected.iter().filter(|tile| full(tile)).copied().collect(),
                ),
                (
                    "a tile begins where the last one ended, also at an edge: nothing is computed twice",
                    expected.iter().map(back).collect(),
                ),
                (
                    "m counts rows of x, n rows of the weight",
                    order(rows, columns, block, (n, m)),
                ),
                ("a block's tiles begin where the block begins", across),
                (
                    "columns may need more than 16 bits",
                    order(rows, usize::from(columns as u16), block, tile),
                ),
            ],
        )?;
    }
    Ok(())
}

fn order(rows: usize, columns: usize, block: usize, (m, n): Tile) -> Vec<[usize; 2]> {
    let mut tiles = Vec::new();
    for start in (0..columns).step_by(block) {
        for row in (0..rows).step_by(m) {
            let columns = (start..(start + block).min(columns)).step_by(n);
            tiles.extend(columns.map(|column| [row, column]));
        }
    }
    tiles
}
