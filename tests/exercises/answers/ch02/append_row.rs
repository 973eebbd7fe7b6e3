//? title: Append one row to a cache that keeps each head's rows together
//? page: ch02/cache.md
//? section: Appending a row
//? level: warm-up
//? minutes: 15
//? call: check(append_row)
//? hint 1: Write the shapes of the old and the new array under each other. Which axis grows by one, and what comes before it?
//? hint 2: In memory the new array is: head 0's old rows, head 0's new row, head 1's old rows, head 1's new row, and so on. So there is one loop, over heads, that copies twice.
//? hint 3: One head's old rows are the `rows * head_dim` numbers from `head * rows * head_dim`, where `rows = keys.len() / (kv_heads * head_dim)`. `extend_from_slice` them, then the `head_dim` numbers of `row` from `head * head_dim`.
//? why: The head is the outer axis. So the new row of every head but the last belongs in the middle of the array, and all that
//?   follows has to move. This is why appending by concatenation copies the whole cache for every token. The next page of
//?   the chapter takes the room first.

// The keys of one layer are in memory as `[kv_heads, rows, head_dim]`, row-major: all rows of head 0, then all
// rows of head 1, and so on. A token has just been computed, and its key has the shape `[kv_heads, head_dim]`.
//
// Return the new keys, `[kv_heads, rows + 1, head_dim]`: every head has its old rows and then its new one.
// An empty cache (`keys` is empty) has 0 rows.

// keys: [kv_heads, rows, head_dim], row: [kv_heads, head_dim] -> [kv_heads, rows + 1, head_dim]
pub fn append_row(keys: &[f32], row: &[f32], kv_heads: usize, head_dim: usize) -> Vec<f32> {
    //-- starter
    // todo!()
    //-- solution
    let rows = keys.len() / (kv_heads * head_dim);
    let mut longer = Vec::with_capacity(keys.len() + row.len());
    for head in 0..kv_heads {
        let old = head * rows * head_dim;
        longer.extend_from_slice(&keys[old..old + rows * head_dim]);
        longer.extend_from_slice(&row[head * head_dim..(head + 1) * head_dim]);
    }
    longer
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::{Checked, Near, Random, call, same_numbers};

    pub fn check(answer: fn(&[f32], &[f32], usize, usize) -> Vec<f32>) -> Checked {
        for (kv_heads, head_dim, all_rows) in
            [(2, 3, &[2, 0, 1, 5][..]), (1, 2, &[0, 3]), (4, 2, &[5, 70_000])]
        {
            for &rows in all_rows {
                let mut random = Random::new(1);
                // One list per head, so that the expected array is written down without index arithmetic.
                let mut heads: Vec<Vec<f32>> =
                    (0..kv_heads).map(|_| random.numbers(rows * head_dim)).collect();
                let case =
                    format!("append to {rows} rows, kv_heads {kv_heads}, head_dim {head_dim}");
                let mut row = random.numbers(kv_heads * head_dim);
                if kv_heads == 4 {
                    // Numbers that a copy keeps and arithmetic does not.
                    (row[0], row[1]) = (-0.0, f32::INFINITY);
                }
                let keys = heads.concat();
                let new = |head: usize| row[head * head_dim..][..head_dim].to_vec();

                let mut over_the_last = heads.clone();
                for (head, old) in over_the_last.iter_mut().enumerate() {
                    if rows > 0 {
                        old.truncate((rows - 1) * head_dim);
                        old.extend(new(head));
                    }
                }
                let rows_first: Vec<f32> = (0..rows)
                    .flat_map(|r| {
                        heads.iter().map(move |head| &head[r * head_dim..][..head_dim])
                    })
                    .flatten()
                    .chain(&row)
                    .copied()
                    .collect();
                for (head, old) in heads.iter_mut().enumerate() {
                    old.extend(new(head));
                }

                let dealt: Vec<f32> = (0..kv_heads)
                    .flat_map(|head| {
                        let old = heads[head][..rows * head_dim].to_vec();
                        let row = &row;
                        let part = (0..head_dim).map(move |i| row[i * kv_heads + head]);
                        old.into_iter().chain(part)
                    })
                    .collect();
                let found = call(&case, || answer(&keys, &row, kv_heads, head_dim))?;
                same_numbers(
                    &case,
                    &[("head", kv_heads), ("row", rows + 1), ("column", head_dim)],
                    Near::Bits,
                    &heads.concat(),
                    &found,
                    &[
                        (
                            "an empty cache got no row: 0 rows are a case like any other",
                            if rows == 0 { Vec::new() } else { vec![f32::NAN] },
                        ),
                        (
                            "the row was read as [head_dim, kv_heads]; it is [kv_heads, head_dim]",
                            dealt,
                        ),
                        (
                            "the new row is at the end of the whole array, as if there were one head",
                            [keys.clone(), row.clone()].concat(),
                        ),
                        (
                            "the new row is written over the last old row",
                            over_the_last.concat(),
                        ),
                        (
                            "the result is [rows, kv_heads, head_dim]; here a head's rows stay together",
                            rows_first,
                        ),
                        (
                            "right for fewer rows: 16 bits do not count so many",
                            if rows == 70_000 { found.clone() } else { vec![f32::NAN] },
                        ),
                    ],
                )?;
            }
        }
        Ok(())
    }
}
