//? title: The order of the tiles in a product of many rows
//? page: ch03/tiles.md
//? section: Cache blocking
//? level: core
//? minutes: 25
//? call: check(tile_order)
//? hint 1: Which of the three (a block of the weight, the rows of x, the tiles of a line) changes most rarely, and which most often?
//? hint 2: Three loops: blocks outside, then rows of x in steps of M, then the block's own rows in steps of N. A block begins at a multiple of `block`, and its tiles begin there too.
//? hint 3: `for start in (0..columns).step_by(block)`, then `for row in (0..rows).step_by(m)`, then `for column in (start..(start + block).min(columns)).step_by(n)`.
//? why: The block is copied once and stays in L2 while all rows of x pass by. Its M rows of x stay in L1 for one line of tiles. In any
//?   other order of the loops, one of the two comes from farther away again and again. The order of the tiles changes nothing in
//?   the sum of any output, so the bits stay.

// A product has `rows` rows of x and `columns` rows of the weight. Return the tiles in the order in which they are computed,
// each as [its first row of x, its first row of the weight]. A tile has (m, n) outputs: m rows of x with n rows of the weight.
//
// The weight is cut into blocks of `block` rows, and a block is finished before the next one begins. In a block, m rows of x meet
// all of its rows, n at a time, before the next m rows of x come. At the edges tiles are smaller, and no tile reaches from one
// block into the next. `block`, m and n are at least 1; n need not divide `block`.
// Example: 3 rows, 5 columns, blocks of 4, tiles of 2 × 2: [0, 0], [0, 2], [2, 0], [2, 2], then [0, 4], [2, 4].

pub fn tile_order(
    rows: usize,
    columns: usize,
    block: usize,
    (m, n): (usize, usize),
) -> Vec<[usize; 2]> {
    //-- starter
    // todo!()
    //-- solution
    let mut tiles = Vec::new();
    for start in (0..columns).step_by(block) {
        for row in (0..rows).step_by(m) {
            for column in (start..(start + block).min(columns)).step_by(n) {
                tiles.push([row, column]);
            }
        }
    }
    tiles
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::{Checked, call, same};

    type Tile = (usize, usize);

    pub fn check(answer: fn(usize, usize, usize, Tile) -> Vec<[usize; 2]>) -> Checked {
        for (rows, columns, block, tile) in [
            (3, 5, 4, (2, 2)),
            (5, 10, 6, (2, 3)),
            (5, 20, 7, (2, 3)),
            (1, 9, 48, (6, 4)),
            (0, 9, 4, (2, 2)),
            (3, 0, 4, (2, 2)),
            (2, 70_001, 48, (3, 2)),
            (70_001, 2, 48, (3, 2)),
        ] {
            let (m, n) = tile;
            let case = format!(
                "{rows} rows, {columns} columns, blocks of {block}, tiles of {m} x {n}"
            );
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
}
