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
    use exercise_kit::explained::{as_written, ask_in_turn};
    use exercise_kit::{Checked, Random};

    type Shape = (u64, u64, u64, u64);
    type Given = (u64, Shape, u64);

    pub fn check(answer: fn(u64, Shape, u64) -> Option<u64>) -> Checked {
        let narrow = "32 bits do not hold the bytes of every position";
        // In each, one thing more can go wrong.
        let first: [(&str, Given); 7] = [
            (
                "only the keys are counted; the values take as much again",
                (100, (1, 1, 1, 8), 1),
            ),
            (
                "counted with the query heads; only key-value heads are stored",
                (100, (1, 4, 2, 8), 1),
            ),
            (
                "counted for one layer; each layer has a cache of its own",
                (100, (2, 1, 1, 8), 1),
            ),
            (
                "None is for a position that costs nothing; too little memory holds Some(0)",
                (10, (1, 1, 1, 8), 1),
            ),
            (
                "a position that costs no bytes was divided by zero",
                (1 << 30, (28, 16, 0, 128), 4),
            ),
            (narrow, (80 << 40, (1000, 1024, 1024, 1024), 4)),
            ("", (u64::MAX, (1, 1, 1, 1), 1)),
        ];
        let mut random = Random::new(21);
        let drawn = (0..300).map(|i| {
            let mut below = |most: usize| random.below(most) as u64;
            let shape = (below(100), below(65), below(65), below(1025));
            ("", (below(1 << (10 + i / 6)), shape, 1 << (i % 4)))
        });
        let case = |(memory, (layers, heads, kv_heads, head_dim), bytes): &Given| {
            format!(
                "{memory} bytes; {layers} layers, {heads} heads, {kv_heads} key-value heads, head_dim {head_dim}; {bytes} bytes a number"
            )
        };
        let answer = |&(memory, shape, bytes): &Given| answer(memory, shape, bytes);
        let right = |&(memory, (layers, _, kv_heads, head_dim), bytes): &Given| {
            memory.checked_div(2 * layers * kv_heads * head_dim * bytes)
        };
        ask_in_turn(first.into_iter().chain(drawn), case, answer, right, as_written)
    }
}
