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
    use exercise_kit::{Checked, Failure, Random, call};

    type Rows = [[i8; 16]; 16];
    type Columns = [[u8; 64]; 4];
    type Integers = [i8; 16];
    type Totals = [i32; 16];

    /// One question, and what came of it.
    struct Asked<G, F> {
        case: String,
        given: G,
        found: F,
    }

    pub fn check(
        pack: fn(&Rows) -> Columns,
        start: fn(&Integers) -> i32,
        add_column: fn(&[u8; 64], &[i8; 4], &mut Totals),
    ) -> Checked {
        check_pack(pack)?;
        check_start(start)?;
        check_add_column(add_column)?;
        for (case, x) in integers() {
            let (name, rows) = weights().pop().expect("there are some");
            let case = format!("all together, {name}, x: {case}");
            let found = call(&case, || {
                let mut totals = [start(&x); 16];
                for (column, x) in pack(&rows).iter().zip(x.as_chunks().0) {
                    add_column(column, x, &mut totals);
                }
                totals
            })?;
            let dot = |row: &[i8; 16]| row.iter().zip(&x).map(|(w, x)| product(*w, *x)).sum();
            differs(&case, &rows.each_ref().map(dot), &found, 16)?;
        }
        Ok(())
    }

    fn product(w: impl Into<i32>, x: impl Into<i32>) -> i32 {
        w.into() * x.into()
    }

    /// The first place, of so many for each row, in which two results differ.
    fn differs<T: PartialEq + ToString>(
        case: &str,
        expected: &[T],
        found: &[T],
        length: usize,
    ) -> Checked {
        let Some(i) = (0..expected.len()).find(|&i| expected[i] != found[i]) else {
            return Ok(());
        };
        let place = match length {
            64 => format!("column {}, byte {}", i / 64, i % 64),
            _ => format!("the total of row {i}"),
        };
        Err(Failure::new(case, expected[i].to_string(), found[i].to_string()).at(place))
    }

    /// The reason of a mistake that explains every answer, not just one.
    fn with_reason<G, F: PartialEq>(
        failure: Failure,
        asked: &[Asked<G, F>],
        mistakes: &[(&'static str, impl Fn(&G) -> F)],
    ) -> Failure {
        let explains =
            |of: &dyn Fn(&G) -> F| asked.iter().all(|one| of(&one.given) == one.found);
        match mistakes.iter().find(|(_, of)| explains(of)) {
            Some((reason, _)) => failure.likely(reason),
            None => failure,
        }
    }

    /// Rows in which every byte can be told from the others come first.
    fn weights() -> Vec<(String, Rows)> {
        use std::array::from_fn;
        let mut random = Random::new(62);
        let mut rows: Vec<(String, Rows)> = vec![
            ("byte i of row r is 16 * r + i - 128".into(), from_fn(|r| from_fn(|i| at(r, i)))),
            ("all bytes are 0".into(), [[0; 16]; 16]),
            ("all bytes are -128".into(), [[-128; 16]; 16]),
            ("all bytes are 127".into(), [[127; 16]; 16]),
        ];
        for number in 0..4 {
            let bytes = [[0; 16]; 16].map(|row| row.map(|_: i8| random.bits() as i8));
            rows.push((format!("random bytes, number {number}"), bytes));
        }
        rows
    }

    fn at(row: usize, i: usize) -> i8 {
        (16 * row + i) as u8 as i8 ^ -128
    }

    fn integers() -> Vec<(String, Integers)> {
        let mut random = Random::new(63);
        let mut integers: Vec<(String, Integers)> = vec![
            ("all are 1".into(), [1; 16]),
            ("from 1 to 16".into(), std::array::from_fn(|i| i as i8 + 1)),
            ("1 and -1 in turn".into(), std::array::from_fn(|i| 1 - i as i8 % 2 * 2)),
            ("all are 127".into(), [127; 16]),
            ("all are -127".into(), [-127; 16]),
        ];
        for number in 0..4 {
            let x = [0; 16].map(|_: i8| (random.below(255) as i16 - 127) as i8);
            integers.push((format!("random integers, number {number}"), x));
        }
        integers
    }

    fn check_pack(pack: impl Fn(&Rows) -> Columns) -> Checked {
        let mut asked = Vec::new();
        for (case, given) in weights() {
            let case = format!("pack: {case}");
            let found = call(&case, || pack(&given)).map_err(|failure| {
            match failure.found.contains("overflow") {
                true => failure.likely(
                    "as a u8 the bits of a negative byte are 128 or more, and the sum passes 255",
                ),
                false => failure,
            }
        })?;
            asked.push(Asked { case, given, found });
        }
        for one in &asked {
            let right = packed(&one.given, |r, i| (i / 4, 4 * r + i % 4), larger);
            let (right, found) = (right.as_flattened(), one.found.as_flattened());
            differs(&one.case, right, found, 64)
                .map_err(|failure| with_reason(failure, &asked, &pack_mistakes()))?;
        }
        Ok(())
    }

    /// Every byte at the column and the place that its row and its number in the row give.
    fn packed(
        rows: &Rows,
        place: impl Fn(usize, usize) -> (usize, usize),
        stored: impl Fn(i8) -> u8,
    ) -> Columns {
        let mut columns = [[0; 64]; 4];
        for (r, row) in rows.iter().enumerate() {
            for (i, byte) in row.iter().enumerate() {
                let (column, place) = place(r, i);
                columns[column][place] = stored(*byte);
            }
        }
        columns
    }

    fn larger(byte: i8) -> u8 {
        (i16::from(byte) + 128) as u8
    }

    type Mistake<G, F> = (&'static str, fn(&G) -> F);

    fn pack_mistakes() -> Vec<Mistake<Rows, Columns>> {
        let larger_by_128 =
            "each byte is stored 128 larger: -128 as 0, -1 as 127, and 127 as 255";
        fn stored(rows: &Rows, stored: fn(i8) -> u8) -> Columns {
            packed(rows, |r, i| (i / 4, 4 * r + i % 4), stored)
        }
        vec![
            ("the bytes stayed as they were: a column has four bytes of every row", |rows| {
                packed(rows, |r, i| (r / 4, r % 4 * 16 + i), larger)
            }),
            (
                "the bytes of a row are by themselves: four neighbours of a row stay together",
                |rows| packed(rows, |r, i| (i / 4, i % 4 * 16 + r), larger),
            ),
            ("a column has four neighbours of each row, and not every fourth byte", |rows| {
                packed(rows, |r, i| (i % 4, 4 * r + i / 4), larger)
            }),
            ("the four bytes of a row keep their order inside of a column", |rows| {
                packed(rows, |r, i| (i / 4, 4 * r + 3 - i % 4), larger)
            }),
            ("row 0 comes first in a column, and row 15 last", |rows| {
                packed(rows, |r, i| (i / 4, 60 - 4 * r + i % 4), larger)
            }),
            (
                "column 0 has the first four bytes of the rows, and column 3 the last four",
                |rows| packed(rows, |r, i| (3 - i / 4, 4 * r + i % 4), larger),
            ),
            ("neighbours in a column are 4 rows apart: row 1 comes after row 0", |rows| {
                packed(rows, |r, i| (i / 4, (r % 4 * 4 + r / 4) * 4 + i % 4), larger)
            }),
            ("all columns have the first four bytes of the rows", |rows| {
                let firsts = rows.map(|row| std::array::from_fn(|i| row[i % 4]));
                packed(&firsts, |r, i| (i / 4, 4 * r + i % 4), larger)
            }),
            (larger_by_128, |rows| stored(rows, |byte| byte as u8)),
            (larger_by_128, |rows| stored(rows, |byte| (byte as u8).wrapping_add(127))),
            (
                "the order is turned round: 128 is added to the byte, which keeps its sign",
                |rows| stored(rows, |byte| 128u8.wrapping_sub(byte as u8)),
            ),
            ("the sign is lost: -5 and 5 are stored alike", |rows| {
                stored(rows, i8::unsigned_abs)
            }),
            ("the sum stops at 127: bytes without a sign go up to 255", |rows| {
                stored(rows, |byte| larger(byte).min(127))
            }),
        ]
    }

    fn check_start(start: impl Fn(&Integers) -> i32) -> Checked {
        let mut asked = Vec::new();
        let short = "the sum of x needs more than a byte: two of its integers may be too many";
        for (case, given) in integers() {
            let case = format!("start, x: {case}");
            let found = call(&case, || start(&given)).map_err(|failure| {
                if failure.found.contains("add with overflow") {
                    failure.likely(short)
                } else {
                    failure
                }
            })?;
            asked.push(Asked { case, given, found });
        }

        let mistakes: Vec<Mistake<Integers, i32>> = vec![
            ("the totals do not begin with 0: every stored byte is 128 too large", |_| 0),
            ("the totals come out twice as far off: look at the sign", |x| 128 * all(x)),
            (
                "the correction is for all sixteen integers of x, not just those of one column",
                |x| -128 * all(&x[..4]),
            ),
            ("each stored weight is 128 too large, and x multiplies that as well", |_| {
                -128 * 16
            }),
            ("each x counts with its sign in the sum", |x| {
                -128 * x.iter().map(|x| i32::from(x.unsigned_abs())).sum::<i32>()
            }),
            ("the bytes are 128 too large, not 127", |x| -127 * all(x)),
            ("128 times the sum of x is too long for an i16", |x| {
                i32::from((-128 * all(x)) as i16)
            }),
            (short, |x| -128 * i32::from(all(x) as i8)),
            ("each integer of x belongs to one of the four columns, and counts once", |x| {
                4 * -128 * all(x)
            }),
        ];
        for Asked { case, given, found } in &asked {
            let expected = -128 * all(given);
            if *found != expected {
                let failure = Failure::new(case, expected, found);
                return Err(with_reason(failure, &asked, &mistakes));
            }
        }
        Ok(())
    }

    fn all(x: &[i8]) -> i32 {
        x.iter().map(|x| i32::from(*x)).sum()
    }

    /// A column, four integers of x and the totals before.
    type Given = ([u8; 64], [i8; 4], Totals);

    fn check_add_column(add_column: impl Fn(&[u8; 64], &[i8; 4], &mut Totals)) -> Checked {
        let mut asked = Vec::new();
        for ((weights, rows), (integers, x)) in weights()
            .into_iter()
            .flat_map(|rows| integers().into_iter().map(move |x| (rows.clone(), x)))
        {
            let columns = packed(&rows, |r, i| (i / 4, 4 * r + i % 4), larger);
            for (c, column) in columns.iter().enumerate() {
                let case = format!("add_column: column {c}; {weights}; x: {integers}");
                let (x, before) = (
                    x.as_chunks::<4>().0[c],
                    std::array::from_fn(|r| [100 * r as i32, (1 << 30) + r as i32][r % 2]),
                );
                let mut found = before;
                call(&case, || add_column(column, &x, &mut found)).map_err(|failure| {
                    match failure.found.contains("overflow") {
                        true => failure.likely("255 * 127 alone nearly fills an i16"),
                        false => failure,
                    }
                })?;
                asked.push(Asked { case, given: (*column, x, before), found });
            }
        }
        for Asked { case, given, found } in &asked {
            let right = added(given, |four, x| (0..4).map(|i| product(four[i], x[i])).sum());
            differs(case, &right, found, 16)
                .map_err(|failure| with_reason(failure, &asked, &add_mistakes()))?;
        }
        Ok(())
    }

    fn added((column, x, before): &Given, sum: impl Fn(&[u8; 4], &[i8; 4]) -> i32) -> Totals {
        std::array::from_fn(|r| before[r] + sum(&column.as_chunks().0[r], x))
    }

    /// Two sums of two products, each kept in a type that may be too small for it.
    fn pairs(four: &[u8; 4], x: &[i8; 4], kept: fn(i32) -> i32) -> i32 {
        let pair = |i: usize| kept(product(four[i], x[i]) + product(four[i + 1], x[i + 1]));
        pair(0) + pair(2)
    }

    fn add_mistakes() -> Vec<Mistake<Given, Totals>> {
        vec![
            ("the bytes of a column are without a sign: from 0 to 255", |given| {
                added(given, |four, x| (0..4).map(|i| product(four[i] as i8, x[i])).sum())
            }),
            ("x has a sign: from -127 to 127", |given| {
                added(given, |four, x| (0..4).map(|i| product(four[i], x[i] as u8)).sum())
            }),
            ("a pair of products can be 64,770, and an i16 ends at 32,767", |given| {
                added(given, |four, x| pairs(four, x, |sum| i32::from(sum as i16)))
            }),
            (
                "a pair of products can be 64,770, and the sum stops at 32,767: an i16 is too short for it",
                |given| {
                    added(given, |four, x| pairs(four, x, |sum| sum.clamp(-32_768, 32_767)))
                },
            ),
            ("a sum of four products needs more than an i16", |given| {
                let sum = |four: &[u8; 4], x: &[i8; 4]| -> i32 {
                    (0..4).map(|i| product(four[i], x[i])).sum()
                };
                added(given, |four, x| i32::from(sum(four, x) as i16))
            }),
            (
                "the totals are whole numbers of 32 bits: above 2^24 an f32 does not hold all",
                |given| {
                    let (column, x, before) = given;
                    std::array::from_fn(|r| {
                        let four = column.as_chunks::<4>().0[r];
                        let sum: i32 = (0..4).map(|i| product(four[i], x[i])).sum();
                        (before[r] as f32 + sum as f32) as i32
                    })
                },
            ),
            ("a column is one of four: add to what is in the totals", |(column, x, _)| {
                added(&(*column, *x, [0; 16]), |four, x| {
                    (0..4).map(|i| product(four[i], x[i])).sum()
                })
            }),
            (
                "the 128 is taken away in `start` already, for all bytes: here they count as they are stored",
                |given| {
                    let less = |byte: u8| i32::from(byte) - 128;
                    added(given, |four, x| (0..4).map(|i| product(less(four[i]), x[i])).sum())
                },
            ),
            (
                "every row meets the same four integers of x, and each of its bytes another one",
                |given| {
                    let (column, x, before) = given;
                    std::array::from_fn(|r| {
                        let four = column.as_chunks::<4>().0[r];
                        before[r] + four.iter().map(|w| product(*w, x[r % 4])).sum::<i32>()
                    })
                },
            ),
            ("a column has four bytes of each of sixteen rows", |(column, x, before)| {
                std::array::from_fn(|r| match column.as_chunks::<16>().0.get(r) {
                    None => before[r],
                    Some(bytes) => {
                        let products = bytes.iter().zip(x.iter().cycle());
                        before[r] + products.map(|(w, x)| product(*w, *x)).sum::<i32>()
                    }
                })
            }),
        ]
    }
}
