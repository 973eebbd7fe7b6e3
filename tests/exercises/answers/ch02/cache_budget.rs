//? title: How many positions fit into a given amount of memory
//? page: ch02/result.md
//? section: What a row costs
//? level: warm-up
//? minutes: 10
//? call: check(positions_that_fit)
//? hint 1: First the bytes of one position: what is stored for it, in one layer, by one key-value head?
//? hint 2: Keys and values are two arrays. Query heads are not stored, so their number does not matter.
//? hint 3: `2 * layers * kv_heads * head_dim * bytes_per_number` is one position; the rest is a division that drops the fraction.
//? why: The cache keeps what later tokens look at: the keys and values of key-value heads. The queries of the past are not
//?   needed again, so `heads` is not in the formula. Part of a position cannot be used, so the division rounds down, as
//?   integer division does. All of it is in `u64`, because 4 GiB do not fit into 32 bits.

// A cache keeps, for every position, one row of keys and one of values in each layer. A row has `head_dim` numbers
// for each key-value head, and a number has `bytes_per_number` bytes.
//
// Return how many positions fit into `memory` bytes. A model whose position costs nothing (no layers, say) has no
// such number: return `None`.
//
// For Qwen3-0.6B with f32 numbers: 28 layers, 16 heads, 8 key-value heads, head_dim 128; 1 GiB holds 4681 positions.

pub fn positions_that_fit(
    memory: u64,
    (layers, heads, kv_heads, head_dim): (u64, u64, u64, u64),
    bytes_per_number: u64,
) -> Option<u64> {
    //-- starter
    // todo!()
    //-- solution
    let _ = heads;
    let position = 2 * layers * kv_heads * head_dim * bytes_per_number;
    memory.checked_div(position)
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::{Checked, call_or, same};

    const NARROW: &str = "32 bits do not hold the bytes of every position";

    type Shape = (u64, u64, u64, u64);

    pub fn check(answer: fn(u64, Shape, u64) -> Option<u64>) -> Checked {
        let gib: u64 = 1 << 30;
        let cases = [
            (gib, (28, 16, 8, 128), 4),
            (2 * gib, (28, 16, 8, 128), 2),
            (100, (2, 4, 2, 8), 4),
            (64 * gib, (36, 32, 8, 128), 4),
            (gib, (28, 0, 8, 128), 4),
            (gib, (0, 16, 8, 128), 4),
            (gib, (28, 16, 0, 128), 4),
            (gib, (28, 16, 8, 0), 4),
            (u64::MAX, (1, 1, 1, 1), 1),
            (80 << 40, (1000, 1024, 1024, 1024), 4),
        ];
        for (memory, shape, bytes) in cases {
            let (layers, heads, kv_heads, head_dim) = shape;
            let case = format!(
                "{memory} bytes; {layers} layers, {heads} heads, {kv_heads} key-value heads, head_dim {head_dim}; {bytes} bytes a number"
            );
            let position = 2 * layers * kv_heads * head_dim * bytes;
            let expected = memory.checked_div(position);
            let found = call_or(
                &case,
                format!("{expected:?}"),
                match position {
                    0 => "a position that costs no bytes was divided by zero",
                    _ => NARROW,
                },
                || answer(memory, shape, bytes),
            )?;
            same(
                &case,
                &expected,
                &found,
                &[
                    (
                        "only the keys are counted; the values take as much again",
                        memory.checked_div(position / 2),
                    ),
                    (
                        "counted with the query heads; only key-value heads are stored",
                        memory.checked_div(2 * layers * heads * head_dim * bytes),
                    ),
                    (
                        "counted for one layer; each layer has a cache of its own",
                        memory.checked_div(2 * kv_heads * head_dim * bytes),
                    ),
                    (NARROW, memory.checked_div(u64::from(position as u32))),
                    (
                        "None is for a position that costs nothing; too little memory holds Some(0)",
                        expected.and(None),
                    ),
                ],
            )?;
        }
        Ok(())
    }
}
