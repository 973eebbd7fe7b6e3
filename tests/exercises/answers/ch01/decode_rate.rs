//? title: A decode speed with a fault
//? page: ch01/metrics.md
//? section: Posts and gaps
//? level: warm-up
//? minutes: 10
//? call: check(decode_rate)
//? hint 1: Work out the first case of the message on paper. Which pass gave which token, and which of the passes are decoding?
//? hint 2: n passes give n tokens. How many of them come out of the passes whose time is added up here?
//? hint 3: The time is that of the steps, without the prompt's pass. The count must be that of the steps too: `steps.len()`.
//? why: The time and the count must belong to the same passes. The first pass reads the prompt and gives the first token, and
//?   neither belongs to decode. With one token too many, a long run looks nearly right. A run of two tokens looks twice as
//?   fast as it is.

// A run of n forward passes gives n tokens. The first pass reads the whole prompt and gives the first token; each
// later one reads one token and gives the next. `pass_ms` holds the times of all passes in milliseconds.
//
// This function should return the decode speed in tokens per second: the tokens after the first one, divided by the
// time that they took, or `None` if nothing was measured. It has one fault. Find it with the help of the test, and mend it.

// pass_ms: [n]
pub fn decode_rate(pass_ms: &[f64]) -> Option<f64> {
    let (_, steps) = pass_ms.split_first()?;
    let seconds = steps.iter().sum::<f64>() / 1000.0;
    //-- starter
    // (seconds > 0.0).then(|| pass_ms.len() as f64 / seconds)
    //-- solution
    (seconds > 0.0).then(|| steps.len() as f64 / seconds)
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::{Checked, Failure, GIVEN, call, call_or};

    pub fn check(answer: fn(&[f64]) -> Option<f64>) -> Checked {
        let runs = [
            &[400.0, 20.0, 30.0, 50.0][..],
            &[7.0, 10.0],
            &[5.0, 0.0, 3.0, 0.0, 5.0],
            &[12.0, 0.5, 0.3, 0.45],
            &[3.0, 0.0004, 0.0002],
            &[3.0, 1e-8],
        ];
        for pass_ms in runs {
            let case = format!("passes of {pass_ms:?} ms");
            let found = call(&case, || answer(pass_ms))?;
            let n = pass_ms.len() as f64;
            let all: f64 = pass_ms.iter().sum();
            let steps = &pass_ms[1..];
            let decode: f64 = steps.iter().sum();
            let expected = (n - 1.0) * 1000.0 / decode;
            let near =
                |rate: f64| found.is_some_and(|found| (found - rate).abs() < 1e-9 * rate);
            if near(expected) {
                continue;
            }
            let mistakes = [
                (
                    n * 1000.0 / all,
                    "the prompt's pass is in the count and in the time; decoding begins after it",
                ),
                (
                    (n - 1.0) * 1000.0 / all,
                    "the prompt's pass is in the time; decoding begins after it",
                ),
                (n * 1000.0 / decode, GIVEN),
                (
                    (n - 2.0) * 1000.0 / decode,
                    "one step too few: every later pass gives a token",
                ),
                (
                    steps.iter().map(|ms| 1000.0 / ms).sum::<f64>() / (n - 1.0),
                    "a mean of the rates; divide the count by the whole time",
                ),
            ];
            let failure =
                Failure::new(&case, format!("{:?}", Some(expected)), format!("{found:?}"));
            return Err(failure.likely(
                mistakes.iter().find(|(rate, _)| near(*rate)).map_or("", |(_, reason)| *reason),
            ));
        }
        for pass_ms in [&[][..], &[400.0], &[400.0, 0.0]] {
            let case = format!("passes of {pass_ms:?} ms");
            let reason =
                "what was not measured has no speed: None, neither 0 nor NaN nor infinity";
            let found = call_or(&case, "None", reason, || answer(pass_ms))?;
            if found.is_some() {
                return Err(Failure::new(&case, "None", format!("{found:?}")).likely(reason));
            }
        }
        Ok(())
    }
}
