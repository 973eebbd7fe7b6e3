//? title: Append one row to a cache that keeps each head's rows together
//? page: ch02/cache.md
//? section: Appending a row
//? level: warm-up
//? minutes: 15
//? call: check(answer::append_row)
//? hint 1: Write the shapes of the old and the new array under each other. Which axis grows by one, and what comes before it?
//? hint 2: In memory the new array is: head 0's old rows, head 0's new row, head 1's old rows, head 1's new row, and so on. So there is one loop, over heads, that copies twice.
//? hint 3: One head's old rows are the `rows * head_dim` numbers from `head * rows * head_dim`, where `rows = keys.len() / (kv_heads * head_dim)`. `extend_from_slice` them, then the `head_dim` numbers of `row` from `head * head_dim`.
//? why: The head is the outer axis. So the new row of every head but the last belongs in the middle of the array, and all that
//?   follows has to move. This is why appending by concatenation copies the whole cache for every token. The next page of
//?   the chapter takes the room first.

//! The keys of one layer are in memory as `[kv_heads, rows, head_dim]`, row-major: all rows of head 0, then all
//! rows of head 1, and so on. A token has just been computed, and its key has the shape `[kv_heads, head_dim]`.
//!
//! Return the new keys, `[kv_heads, rows + 1, head_dim]`: every head has its old rows and then its new one.
//! An empty cache (`keys` is empty) has 0 rows.

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
