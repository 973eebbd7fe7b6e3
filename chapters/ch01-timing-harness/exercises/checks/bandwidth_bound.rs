use exercise_kit::{Checked, Failure, call};

pub fn check(answer: impl Fn(u64, f64, f64) -> (f64, f64)) -> Checked {
    for (bytes, gb, seconds) in
        [(500_000_000, 10.0, 0.1), (633_000_000, 18.5, 0.04), (1_000, 12.0, 1e-6)]
    {
        let case = format!("{bytes} bytes a token, {gb} GB/s, {seconds} s a token");
        let (bound, share) = call(&case, || answer(bytes, gb, seconds))?;
        let near = |found: f64, wanted: f64| (found - wanted).abs() <= 1e-9 * wanted.abs();
        let right = gb * 1e9 / bytes as f64;
        let reached = 1.0 / seconds / right;
        let bounds = [
            (right * (1u64 << 30) as f64 / 1e9, "a GB is 10^9 bytes here, not 2^30"),
            (1.0 / right, "that is seconds per token, not tokens per second"),
            (right / 8.0, "divided by 8: the bandwidth is in bytes, not in bits"),
            (right / 1e9, "the factor 10^9 is missing: the bandwidth is in GB"),
        ];
        let shares = [
            (1.0 / reached, "the share is upside down: what was reached divided by the bound"),
            (reached * 100.0, "in percent; all of it is 1.0"),
        ];
        let (place, expected, found, mistakes) = match near(bound, right) {
            false => ("the bound", right, bound, &bounds[..]),
            true if near(share, reached) => continue,
            true => ("the share", reached, share, &shares[..]),
        };
        let failure = Failure::new(&case, expected, found).at(place);
        return Err(match mistakes.iter().find(|(wrong, _)| near(found, *wrong)) {
            Some((_, reason)) => failure.likely(reason),
            None => failure,
        });
    }
    Ok(())
}
