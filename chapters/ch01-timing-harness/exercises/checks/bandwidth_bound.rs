use exercise_kit::{Checked, Failure, call_or};

pub fn check(answer: impl Fn(u64, u64, f64, u64) -> (f64, f64)) -> Checked {
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
            (n * bandwidth / w, "the past is missing: keys and values are read too"),
            ((w + n * p) / (n * bandwidth), "that is seconds per token, not tokens per second"),
            (right / 8.0, "divided by 8: the bandwidth is in bytes, not in bits"),
            (right * (1u64 << 30) as f64 / 1e9, "a GB is 10^9 bytes here, not 2^30"),
        ];
        let right_limit = bandwidth / p;
        let limits = [
            (
                if past == 0 { 0.0 } else { f64::NAN },
                "without a past memory sets no limit: infinity, neither 0 nor NaN",
            ),
            (
                bandwidth / w,
                "that is the speed of one sequence alone: what becomes of its share of the weights in a large batch?",
            ),
            (
                bandwidth / (w + p),
                "that is the speed of one sequence alone: what becomes of its share of the weights in a large batch?",
            ),
            (n * bandwidth / p, "the limit does not depend on this batch"),
            (f64::INFINITY, "each sequence reads its own past, so that there is a limit"),
            (p / bandwidth, "the limit is upside down"),
        ];
        let (place, expected, found, mistakes) = match near(bound, right) {
            false => ("the bound", right, bound, &bounds[..]),
            true if near(limit, right_limit) => continue,
            true => ("the limit", right_limit, limit, &limits[..]),
        };
        let failure = Failure::new(&case, expected, found).at(place);
        return Err(match mistakes.iter().find(|(wrong, _)| near(found, *wrong)) {
            Some((_, reason)) => failure.likely(reason),
            None => failure,
        });
    }
    Ok(())
}
