//? title: A decode speed with a fault
//? page: ch01/metrics.md
//? section: Two phases, two speeds
//? level: warm-up
//? minutes: 10
//? call: check(answer::decode_rate)
//? hint 1: Work out the first case of the message on paper. Which pass gave which token, and which of the passes are decoding?
//? hint 2: n passes give n tokens. How many of them come out of the passes whose time is added up here?
//? hint 3: The time is that of the steps, without the prompt's pass. The count must be that of the steps too: `steps.len()`.
//? why: The time and the count must belong to the same passes. The first pass reads the prompt and gives the first token, and
//?   neither belongs to decode. With one token too many, a long run looks nearly right. A run of two tokens looks twice as
//?   fast as it is.

//! A run of n forward passes gives n tokens. The first pass reads the whole prompt and gives the first token; each
//! later one reads one token and gives the next. `pass_ms` holds the times of all passes in milliseconds.
//!
//! This function should return the decode speed in tokens per second: the tokens after the first one, divided by the
//! time that they took, or `None` if nothing was measured. It has one fault. Find it with the help of the test, and mend it.

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
