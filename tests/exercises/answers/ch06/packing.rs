//? title: Sixteen rows in columns of four bytes
//? page: ch06/unpacked.md
//? section: What is computed once for x
//? level: core
//? minutes: 30
//? call: check(pack, start, add_column)
//? hint 1: Where does byte 6 of row 2 go? It is the third byte of its four. In which column, and at which of its 64 places? And if each weight is stored 128 too large, how much too large is the product with x, for one place, and for all sixteen?
//? hint 2: Column c holds bytes 4 * c to 4 * c + 3 of each row; row r has places 4 * r to 4 * r + 3 there. The product of a stored byte is w * x + 128 * x. All totals are too large by the same number, 128 times the sum of x, and so they begin with that number below 0.
//? hint 3: `columns[column][4 * row + i] = (rows[row][4 * column + i] as u8).wrapping_add(128);`, and `start` is `-128` times the sum of `i32::from(*x)`. In `add_column`, row r's total gets the sum of `i32::from(column[4 * r + i]) * i32::from(x[i])` for four i; the bytes of the column are `u8` there, from 0 to 255.
//? why: A column is what one register holds: four bytes of each of sixteen rows. It meets the same four bytes of x in all
//?   rows, and one instruction adds four products to each of sixteen totals. That instruction wants one factor without a
//?   sign. Adding 128 turns -128 to 127 into 0 to 255, and each product is then too large by 128 * x, which does not depend
//?   on the weight. So one number corrects all sixteen totals. It is taken away before anything is added, and costs nothing
//?   in the loop. All of it is exact: the farthest total on the way is 16 * 255 * 127 from its beginning, and an `i32` has
//?   room for that.

// A product of many rows of x reads each weight many times. So the weights are put in the order in which they are needed,
// once. Here are sixteen bytes from each of sixteen rows. They become four columns of 64 bytes:
//
// - `pack(rows)`: column c holds bytes 4c to 4c + 3 of row 0, then bytes 4c to 4c + 3 of row 1, and so on. The instruction
//   for the product wants bytes without a sign, so each is stored 128 too large: -128 as 0, and 127 as 255.
// - `add_column(column, x, totals)`: to the total of each row, add the sum of its four stored bytes times the four integers
//   of x.
// - `start(x)`: what all totals begin with. Stored bytes are 128 too large, so the products are too. `start` makes up for
//   all of that: a total that begins with `start(x)` and goes through all four columns is row . x, exactly.
//
// Each function is checked by itself, and then all together. Weights are any bytes, and x goes from -127 to 127.

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

//-- check
pub mod check {
    use exercise_kit::explained::{as_written, ask_each, ask_in_turn};
    use exercise_kit::{Checked, Failure, Random, call};
    use std::array::from_fn;

    type Rows = [[i8; 16]; 16];
    type Columns = [[u8; 64]; 4];
    type Integers = [i8; 16];
    type Totals = [i32; 16];

    /// A column, the four integers of x that belong to it, and the totals before.
    type Given = ([u8; 64], [i8; 4], Totals);

    pub fn check(
        pack: fn(&Rows) -> Columns,
        start: fn(&Integers) -> i32,
        add_column: fn(&[u8; 64], &[i8; 4], &mut Totals),
    ) -> Checked {
        let case = |rows: &Rows| format!("pack rows that begin with {:?}", &rows[0][..4]);
        let likely = |_: &Rows, right: &Columns, found: Option<&Columns>| {
            let found = found.map(|found| found.as_flattened());
            let is_moved = |(a, b): (&u8, &u8)| a.wrapping_add(128) == *b;
            match found
                .is_some_and(|found| right.as_flattened().iter().zip(found).all(is_moved))
            {
                true => "each byte is stored 128 larger: -128 as 0, -1 as 127, and 127 as 255",
                false => {
                    "the bytes of a row are by themselves: four neighbours of a row stay together"
                }
            }
        };
        ask_each(weights(), case, pack, packed, likely, |expected, found| {
            let (expected, found) = (expected.as_flattened(), found.as_flattened());
            let i = (0..256).find(|&i| expected[i] != found[i]).unwrap_or(0);
            let of = |bytes: &[u8]| format!("column {}, byte {}: {}", i / 64, i % 64, bytes[i]);
            (of(expected), of(found))
        })?;

        let case = |x: &Integers| format!("start, x: {x:?}");
        let zero = "the totals do not begin with 0: every stored byte is 128 too large";
        let right = |x: &Integers| x.iter().map(|x| -128 * i32::from(*x)).sum();
        let all = integers().into_iter().map(|x| (zero, x));
        ask_in_turn(all, case, start, right, as_written)?;

        let case = |(column, x, _): &Given| format!("add_column: {column:?}, x: {x:?}");
        let answer = |(column, x, before): &Given| {
            let mut totals = *before;
            add_column(column, x, &mut totals);
            totals
        };
        let right = |(column, x, before): &Given| -> Totals {
            from_fn(|r| {
                before[r] + (0..4).map(|i| product(column[4 * r + i], x[i])).sum::<i32>()
            })
        };
        ask_in_turn(columns(), case, answer, right, |expected, found| {
            let r = (0..16).find(|&r| expected[r] != found[r]).unwrap_or(0);
            let of = |totals: &Totals| format!("the total of row {r}: {}", totals[r]);
            (of(expected), of(found))
        })?;

        for x in integers() {
            let case = format!("all together, random rows, x: {x:?}");
            let rows = weights().pop().expect("there are some");
            let found = call(&case, || {
                let mut totals = [start(&x); 16];
                for (column, x) in pack(&rows).iter().zip(x.as_chunks().0) {
                    add_column(column, x, &mut totals);
                }
                totals
            })?;
            let dot = |row: &[i8; 16]| row.iter().zip(&x).map(|(w, x)| product(*w, *x)).sum();
            let expected: Totals = rows.each_ref().map(dot);
            if found != expected {
                return Err(Failure::new(&case, format!("{expected:?}"), format!("{found:?}")));
            }
        }
        Ok(())
    }

    fn product(w: impl Into<i32>, x: impl Into<i32>) -> i32 {
        w.into() * x.into()
    }

    /// Rows in which every byte can be told from the others come first, and random ones last.
    fn weights() -> Vec<Rows> {
        let mut random = Random::new(62);
        let each = from_fn(|r| from_fn(|i| (16 * r + i) as u8 as i8 ^ -128));
        let mut rows: Vec<Rows> = vec![each, [[-128; 16]; 16], [[127; 16]; 16]];
        rows.extend(
            (0..4).map(|_| [[0; 16]; 16].map(|row| row.map(|_: i8| random.bits() as i8))),
        );
        rows
    }

    fn integers() -> Vec<Integers> {
        let mut random = Random::new(63);
        let mut all: Vec<Integers> =
            vec![[1; 16], from_fn(|i| i as i8 + 1), [127; 16], [-127; 16]];
        all.extend((0..4).map(|_| [0; 16].map(|_: i8| (random.below(255) as i16 - 127) as i8)));
        all
    }

    /// In each of the first, one thing more can go wrong.
    fn columns() -> Vec<(&'static str, Given)> {
        let one = |likely, byte, x| (likely, ([byte; 64], [x; 4], [7; 16]));
        // Halves of the range of a byte, where the 128 would be seen and a sign not.
        let mut all = vec![
            one(
                "the 128 is taken away in `start` already, for all bytes: here they count as they are stored",
                100,
                1,
            ),
            one("the bytes of a column are without a sign: from 0 to 255", 200, 1),
            one(
                "a pair of products can be 64,770, and the sum stops at 32,767: an i16 is too short for it",
                255,
                127,
            ),
        ];
        for rows in weights() {
            for x in integers() {
                let before = from_fn(|r| [100 * r as i32, (1 << 30) + r as i32][r % 2]);
                let four = packed(&rows).into_iter().zip(x.as_chunks().0.to_vec());
                all.extend(four.map(|(column, x)| ("", (column, x, before))));
            }
        }
        all
    }

    fn packed(rows: &Rows) -> Columns {
        from_fn(|c| {
            from_fn(|place| (i16::from(rows[place / 4][4 * c + place % 4]) + 128) as u8)
        })
    }
}
