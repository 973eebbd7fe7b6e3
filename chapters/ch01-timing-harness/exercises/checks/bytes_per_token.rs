use exercise_kit::counting::{Shape, decode_and_count};
use exercise_kit::{Checked, Failure, call, call_or, same};

pub fn check(answer: impl Fn(&Shape, u64) -> u64) -> Checked {
    let small = Shape {
        layers: 3,
        hidden: 24,
        ffn: 40,
        heads: 6,
        kv_heads: 3,
        head_dim: 8,
        vocab: 50,
        tied: true,
    };
    let others = [
        (Shape { layers: 1, ..small }, 0),
        (small, 10),
        (Shape { tied: false, layers: 2, ..small }, 7),
        (Shape { heads: 4, kv_heads: 1, head_dim: 16, ffn: 33, ..small }, 100),
        (Shape { heads: 4, kv_heads: 4, head_dim: 6, tied: false, ..small }, 5),
    ];
    for (shape, depth) in others {
        let case = format!("{shape:?}, depth {depth}");
        let found = call(&case, || answer(&shape, depth))?;
        let counted = decode_and_count(&shape, depth);
        if by_formula(&shape, depth) != counted {
            return Err(Failure::new("the check itself", counted, by_formula(&shape, depth)));
        }
        let row = 4 * shape.kv_heads * shape.head_dim;
        let past = 2 * shape.layers * row * depth;
        let query_past = past / shape.kv_heads * shape.heads;
        let row_of_embedding = 4 * shape.hidden;
        let whole_embedding = shape.vocab * row_of_embedding;
        let norms = 4 * (shape.layers * (2 * shape.hidden + 2 * shape.head_dim) + shape.hidden);
        let head_norms = 4 * shape.layers * 2 * shape.head_dim;
        let wide = shape.heads * shape.head_dim;
        let square = |counted: u64| {
            (counted + 4 * shape.layers * shape.hidden * shape.hidden)
                .wrapping_sub(4 * shape.layers * shape.hidden * wide)
        };
        let kv_matrices =
            4 * shape.layers * 2 * shape.hidden * wide - shape.layers * 2 * shape.hidden * row;
        let gate_matrix = 4 * shape.layers * shape.hidden * shape.ffn;
        let mut mistakes = vec![
            (
                "only the keys of the past are counted; the values are read too",
                counted - past / 2,
            ),
            ("the past is missing: keys and values of the earlier tokens", counted - past),
            (
                "the past of one layer; each has keys and values of its own",
                counted - past + past / shape.layers,
            ),
            ("the past is counted once for every query head", counted - past + query_past),
            (
                "the token's own key and value are counted; they were just computed",
                counted + 2 * shape.layers * row,
            ),
            ("these are numbers, not bytes: an f32 takes 4", counted / 4),
            ("the norms are missing: their weights are read too", counted - norms),
            ("the norms of queries and keys are missing", counted - head_norms),
            (
                "the output matrix is counted as a square: what goes in, and what comes out?",
                square(counted),
            ),
            (
                "key and value matrices are as wide as the query's here: how many heads have they?",
                counted + kv_matrices,
            ),
            ("a matrix of the MLP is missing", counted - gate_matrix),
        ];
        if shape.tied {
            mistakes.push((
                "a row counts twice: each number counts once, however often it is used",
                counted + row_of_embedding,
            ));
            mistakes.push((
                "a tied embedding is the head: it is read once, not twice",
                counted + whole_embedding,
            ));
            mistakes.push((
                "the head is missing: what are the logits made from?",
                counted - whole_embedding + row_of_embedding,
            ));
        } else {
            mistakes.push((
                "the whole embedding is counted: how much of it does one token need?",
                counted - row_of_embedding + whole_embedding,
            ));
            mistakes.push((
                "the row that the embedding gives is missing",
                counted - row_of_embedding,
            ));
        }
        same(&case, &counted, &found, &mistakes)?;
    }
    // Too large to be run here: this one is computed as the others are counted.
    let shape = Shape {
        layers: 28,
        hidden: 1000,
        ffn: 3072,
        heads: 16,
        kv_heads: 8,
        head_dim: 128,
        vocab: 151_936,
        tied: true,
    };
    let case = format!("{shape:?}, depth 40000");
    let narrow = "32 bits do not hold it: a long past is more than 4 GiB";
    let right = by_formula(&shape, 40_000);
    let found = call_or(&case, right, narrow, || answer(&shape, 40_000))?;
    let rounded = "an f32 does not hold every whole number of this size";
    same(
        &case,
        &right,
        &found,
        &[(narrow, u64::from(right as u32)), (rounded, right as f32 as u64)],
    )
}

fn by_formula(shape: &Shape, depth: u64) -> u64 {
    let Shape { layers, hidden, ffn, heads, kv_heads, head_dim, vocab, tied } = *shape;
    let layer = 2 * hidden * (heads + kv_heads) * head_dim
        + 3 * hidden * ffn
        + 2 * (hidden + head_dim)
        + 2 * kv_heads * head_dim * depth;
    4 * (layers * layer + (vocab + 1) * hidden + if tied { 0 } else { hidden })
}
