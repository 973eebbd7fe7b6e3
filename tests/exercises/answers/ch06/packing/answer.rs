//? title: Sixteen rows in columns of four bytes
//? page: ch06/unpacked.md
//? section: What is computed once for x
//? level: core
//? minutes: 30
//? call: check(answer::pack, answer::start, answer::add_column)
//? hint 1: Where does byte 6 of row 2 go? It is the third byte of its four. In which column, and at which of its 64 places? And if each weight is stored 128 too large, how much too large is the product with x, for one place, and for all sixteen?
//? hint 2: Column c holds bytes 4 * c to 4 * c + 3 of each row; row r has places 4 * r to 4 * r + 3 there. The product of a stored byte is w * x + 128 * x. All totals are too large by the same number, 128 times the sum of x, and so they begin with that number below 0.
//? hint 3: `columns[column][4 * row + i] = (rows[row][4 * column + i] as u8).wrapping_add(128);`, and `start` is `-128` times the sum of `i32::from(*x)`. In `add_column`, row r's total gets the sum of `i32::from(column[4 * r + i]) * i32::from(x[i])` for four i; the bytes of the column are `u8` there, from 0 to 255.
//? why: A column is what one register holds: four bytes of each of sixteen rows. It meets the same four bytes of x in all
//?   rows, and one instruction adds four products to each of sixteen totals. That instruction wants one factor without a
//?   sign. Adding 128 turns -128 to 127 into 0 to 255, and each product is then too large by 128 * x, which does not depend
//?   on the weight. So one number corrects all sixteen totals. It is taken away before anything is added, and costs nothing
//?   in the loop. All of it is exact: the farthest total on the way is 16 * 255 * 127 from its beginning, and an `i32` has
//?   room for that.

//! A product of many rows of x reads each weight many times. So the weights are put in the order in which they are needed,
//! once. Here are sixteen bytes from each of sixteen rows. They become four columns of 64 bytes:
//!
//! - `pack(rows)`: column c holds bytes 4c to 4c + 3 of row 0, then bytes 4c to 4c + 3 of row 1, and so on. The instruction
//!   for the product wants bytes without a sign, so each is stored 128 too large: -128 as 0, and 127 as 255.
//! - `add_column(column, x, totals)`: to the total of each row, add the sum of its four stored bytes times the four integers
//!   of x.
//! - `start(x)`: what all totals begin with. Stored bytes are 128 too large, so the products are too. `start` makes up for
//!   all of that: a total that begins with `start(x)` and goes through all four columns is row . x, exactly.
//!
//! Each function is checked by itself, and then all together. Weights are any bytes, and x goes from -127 to 127.

// rows: [16][16] -> [4][64]
pub fn pack(rows: &[[i8; 16]; 16]) -> [[u8; 64]; 4] {
    //-- starter
    // todo!()
    //-- solution
    let mut columns = [[0; 64]; 4];
    for (r, row) in rows.iter().enumerate() {
        for (i, byte) in row.iter().enumerate() {
            columns[i / 4][4 * r + i % 4] = (*byte as u8).wrapping_add(128);
        }
    }
    columns
    //-- end
}

pub fn start(x: &[i8; 16]) -> i32 {
    //-- starter
    // todo!()
    //-- solution
    -128 * x.iter().map(|x| i32::from(*x)).sum::<i32>()
    //-- end
}

// x: the four integers that belong to the column
pub fn add_column(column: &[u8; 64], x: &[i8; 4], totals: &mut [i32; 16]) {
    //-- starter
    // todo!()
    //-- solution
    for (total, four) in totals.iter_mut().zip(column.as_chunks::<4>().0) {
        *total += four.iter().zip(x).map(|(w, x)| i32::from(*w) * i32::from(*x)).sum::<i32>();
    }
    //-- end
}
