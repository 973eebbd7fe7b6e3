//? title: Append one row to a cache that keeps each head's rows together
//? page: ch02/basic.md
//? section: Appending a row
//? level: warm-up
//? minutes: 15
//? call: check(append_row)
//? hint 1: Write the shapes of the old and the new array under each other. Which axis grows by one, and what comes before it?
//? hint 2: In memory the new array is: head 0's old rows, head 0's new row, head 1's old rows, head 1's new row, and so on. So there is one loop, over heads, that copies twice.
//? hint 3: One head's old rows are the `rows * head_dim` numbers from `head * rows * head_dim`, where `rows = keys.len() / (kv_heads * head_dim)`. `extend_from_slice` them, then the `head_dim` numbers of `row` from `head * head_dim`.
//? why: The head is the outer axis. So the new row of every head but the last belongs in the middle of the array, and all that
//?   follows has to move. This is why appending by concatenation copies the whole cache for every token, and why the
//?   chapter's first cache takes the room at the start.

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
        let mut random = Random::new(1);
        // In each, one thing more can go wrong.
        for (rows, kv_heads, head_dim, likely) in [
            (2, 1, 3, "the new row is written over the last old row"),
            (0, 2, 1, "an empty cache got no row: 0 rows are a case like any other"),
            (0, 2, 3, "the row was read as [head_dim, kv_heads]; it is [kv_heads, head_dim]"),
            (
                2,
                2,
                3,
                "the result is [rows, kv_heads, head_dim]; here a head's rows stay together",
            ),
            (300, 4, 2, ""),
            (70_000, 4, 2, "right for fewer rows: 16 bits do not count so many"),
        ] {
            // One list per head, so that the expected array is written down without index arithmetic.
            let mut heads: Vec<Vec<f32>> =
                (0..kv_heads).map(|_| random.numbers(rows * head_dim)).collect();
            let mut row = random.numbers(kv_heads * head_dim);
            if kv_heads == 4 {
                // Numbers that a copy keeps and arithmetic does not.
                (row[0], row[1]) = (-0.0, f32::INFINITY);
            }
            let keys = heads.concat();
            for (old, new) in heads.iter_mut().zip(row.chunks(head_dim)) {
                old.extend(new);
            }
            let case =
                format!("append to {rows} rows, kv_heads {kv_heads}, head_dim {head_dim}");
            let found = call(&case, || answer(&keys, &row, kv_heads, head_dim))?;
            let likely = match rows == 2 && kv_heads == 2 && found.starts_with(&keys) {
                true => {
                    "the new row is at the end of the whole array, as if there were one head"
                }
                false => likely,
            };
            let shape = [("head", kv_heads), ("row", rows + 1), ("column", head_dim)];
            same_numbers(&case, &shape, Near::Bits, &heads.concat(), &found, &[])
                .map_err(|failure| failure.likely(likely))?;
        }
        Ok(())
    }
}
