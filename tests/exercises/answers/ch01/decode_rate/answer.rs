//? title: Tokens per second, without counting the prompt
//? page: ch01/metrics.md
//? section: Two phases, two speeds
//? minutes: 15
//? call: check(answer::decode_rate)
//? hint 1: The first pass reads the prompt, and out of it comes the first token. Which passes are decoding, and how many tokens do they give?
//? hint 2: n passes give n tokens; n - 1 of them, and their time, are decoding. A pass is given in milliseconds.
//? hint 3: `let (_, steps) = pass_ms.split_first()?;` then count * 1000 / sum, and `None` when there are no steps or no time.
//? why: Time to first token and decode speed answer two questions: how long until something happens, and how fast it goes on. Mixed
//?   in one number, a long prompt makes the decode look slow. The rate is count by time: a mean of the single
//?   rates would give a fast step more weight than a slow one of the same token.

//! A run of n forward passes gives n tokens. The first pass reads the whole prompt and gives the first token; each
//! later one reads one token and gives the next. `pass_ms` holds the times of all passes in milliseconds.
//!
//! Return the decode speed in tokens per second: the tokens after the first one, divided by the time they took.
//! If there is none (no pass, one pass, or no measurable time), return `None`: neither 0 nor infinity was measured.

// pass_ms: [n]
pub fn decode_rate(pass_ms: &[f64]) -> Option<f64> {
    //-- starter
    // todo!()
    //-- solution
    let (_, steps) = pass_ms.split_first()?;
    let seconds = steps.iter().sum::<f64>() / 1000.0;
    (seconds > 0.0).then(|| steps.len() as f64 / seconds)
    //-- end
}
