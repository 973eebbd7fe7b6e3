use exercise_kit::{Checked, call_or, same};

const NARROW: &str = "32 bits do not hold the bytes of every position";

type Shape = (u64, u64, u64, u64);

pub fn check(answer: impl Fn(u64, Shape, u64) -> Option<u64>) -> Checked {
    let gib: u64 = 1 << 30;
    let cases = [
        (gib, (28, 16, 8, 128), 4),
        (2 * gib, (28, 16, 8, 128), 2),
        (1_000, (2, 4, 2, 8), 4),
        (100, (2, 4, 2, 8), 4),
        (64 * gib, (36, 32, 8, 128), 4),
        (gib, (28, 0, 8, 128), 4),
        (gib, (0, 16, 8, 128), 4),
        (gib, (28, 16, 0, 128), 4),
        (gib, (28, 16, 8, 0), 4),
        (80 << 40, (80, 64, 8, 128), 2),
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
                (
                    "the numbers are counted in 32 bits, and 4 GiB do not fit into them",
                    (memory & 0xffff_ffff).checked_div(position),
                ),
                (
                    "counted as numbers of one byte: bytes_per_number is missing",
                    memory.checked_div(position / bytes.max(1)),
                ),
                (NARROW, memory.checked_div(u64::from(position as u32))),
                match (position, heads) {
                    (_, 0) => (
                        "query heads are not stored: that there are none changes nothing",
                        None,
                    ),
                    (0, _) => ("a position that costs nothing: None, not a number", found),
                    _ => (
                        "None is for a position that costs nothing; too little memory holds Some(0)",
                        None,
                    ),
                },
                (
                    "computed with floats, which have 53 bits: divide whole numbers",
                    (position > 0).then(|| (memory as f64 / position as f64) as u64),
                ),
                (
                    "rounded up, so that the last position does not fit",
                    (position > 0).then(|| memory.div_ceil(position.max(1))),
                ),
            ],
        )?;
    }
    Ok(())
}
