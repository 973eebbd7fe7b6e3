use exercise_kit::{Checked, call, same};

pub fn check(answer: impl Fn(u64, u64, u64, u64, u64, u64) -> u64) -> Checked {
    let cases = [
        (1_000, 3, 2, 8, 4, 10),
        (633_000_000, 28, 8, 128, 4, 2_760),
        (633_000_000, 28, 8, 128, 2, 40_000),
        (500, 3, 1, 4, 4, 0),
    ];
    for (weights, layers, kv_heads, head_dim, bytes, depth) in cases {
        let case = format!(
            "{weights} bytes of weights, {layers} layers, {kv_heads} key-value heads, head_dim {head_dim}, {bytes} bytes a number, depth {depth}"
        );
        let found = call(&case, || answer(weights, layers, kv_heads, head_dim, bytes, depth))?;
        let row = kv_heads * head_dim * bytes;
        let cached = 2 * layers * row * depth;
        same(
            &case,
            &(weights + cached),
            &found,
            &[
                ("only the keys are counted; the values are read too", weights + cached / 2),
                (
                    "multiplied by depth; the weights are read once for a token",
                    (weights + 2 * layers * row) * depth,
                ),
                ("the keys and values are missing: decode is not constant work", weights),
                ("every layer has keys and values of its own", weights + 2 * row * depth),
                ("counted are numbers, not bytes", weights + cached / bytes),
                (
                    "the token's own row is counted; it was just computed",
                    weights + cached + 2 * layers * row,
                ),
            ],
        )?;
    }
    Ok(())
}
