//? title: The bound for a batch: which bytes are shared
//? page: ch03/roofline.md
//? section: The bound
//? level: core
//? minutes: 20
//? call: check(batch_bound)
//? hint 1: Eight sequences are decoded in one pass. Which bytes does the pass read once, and which eight times? How many tokens does it give?
//? hint 2: A pass reads weights + batch * past bytes and gives `batch` tokens. For the limit, let the batch grow without end: what becomes of the share of the weights in each token?
//? hint 3: `let bytes = weight_bytes as f64 + batch as f64 * past_bytes as f64;` the bound is `batch as f64 * gb_per_second * 1e9 / bytes`, and the limit is `gb_per_second * 1e9 / past_bytes as f64`.
//? why: A batch shares the weights and nothing else. At first its speed grows with every sequence. Later each new sequence
//?   costs about as much as it brings, because it has its own past to read. So batching is excellent for short texts and
//?   helps little with long ones. Without a past there is no limit from memory, and the division by 0 says so: infinity.

// The page has the bound for one sequence. A server decodes several at once: one pass reads the weights once for all of
// them, and for each sequence its own keys and values. It gives one token to each.
//
// `weight_bytes` are the bytes of all weights, `past_bytes` those of the keys and values of one sequence; all of them are
// equally long here. The memory gives `gb_per_second` (1 GB = 10^9 bytes). Return two numbers, in tokens per second of all
// sequences together: the most that memory allows for this batch, and the limit that no batch can pass, however large
// (infinity if there is none).

pub fn batch_bound(
    weight_bytes: u64,
    past_bytes: u64,
    gb_per_second: f64,
    batch: u64,
) -> (f64, f64) {
    //-- starter
    // todo!()
    //-- solution
    let bandwidth = gb_per_second * 1e9;
    let bytes = weight_bytes as f64 + batch as f64 * past_bytes as f64;
    (batch as f64 * bandwidth / bytes, bandwidth / past_bytes as f64)
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::{Checked, Failure, call_or};

    pub fn check(answer: fn(u64, u64, f64, u64) -> (f64, f64)) -> Checked {
        for (weights, past, gb, batch) in [
            (500_000_000, 50_000_000, 10.0, 4),
            (633_000_000, 229_376_000, 18.5, 32),
            (2_384_199_680, 1_000, 30.0, 1),
            (600_000_000_000, 8_000_000_000, 800.0, 100_000),
            (1_000, 0, 12.0, 8),
            (1_000, 1 << 33, 2000.0, 1 << 33),
        ] {
            let case = format!(
                "{weights} bytes of weights, {past} of one past, {gb} GB/s, a batch of {batch}"
            );
            let overflow = "a product or a sum does not fit into its type";
            let (bound, limit) =
                call_or(&case, "two speeds", overflow, || answer(weights, past, gb, batch))?;
            let near = |found: f64, wanted: f64| {
                found == wanted
                    || (wanted.is_finite() && (found - wanted).abs() <= 1e-9 * wanted.abs())
            };
            let (w, p, n, bandwidth) = (weights as f64, past as f64, batch as f64, gb * 1e9);
            let right = n * bandwidth / (w + n * p);
            let bounds = [
                (bandwidth / (w + n * p), "that is for each sequence; asked are all together"),
                (
                    bandwidth / (w + p),
                    "the weights are read once for the whole batch, not for each sequence",
                ),
                (
                    n * bandwidth / (w + p),
                    "every sequence has a past of its own: batch times its bytes",
                ),
            ];
            let right_limit = bandwidth / p;
            let limits = [
                (
                    bandwidth / (w + p),
                    "that is the speed of one sequence alone: what becomes of its share of the weights in a large batch?",
                ),
                (f64::INFINITY, "each sequence reads its own past, so that there is a limit"),
            ];
            let (place, expected, found, mistakes) = match near(bound, right) {
                false => ("the bound", right, bound, &bounds[..]),
                true if near(limit, right_limit) => continue,
                true => ("the limit", right_limit, limit, &limits[..]),
            };
            let failure = Failure::new(&case, expected, found).at(place);
            return Err(failure.likely(
                mistakes
                    .iter()
                    .find(|(wrong, _)| near(found, *wrong))
                    .map_or("", |(_, reason)| *reason),
            ));
        }
        Ok(())
    }
}
