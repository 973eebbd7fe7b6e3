//? title: The bound that memory sets, and how near a run came
//? page: ch01/roofline.md
//? section: The bound
//? minutes: 15
//? call: check(answer::bandwidth_bound)
//? hint 1: If a token needs 500 MB and the memory gives 10 GB in a second, how many tokens can there be in a second?
//? hint 2: The bound is bandwidth / bytes, both in bytes. The share is what was reached, divided by the bound; what was reached is the inverse of the seconds per token.
//? hint 3: `let bound = gb_per_second * 1e9 / bytes as f64; (bound, 1.0 / seconds / bound)`
//? why: The bound needs no model of the processor: bytes that must be read cannot be read faster than the memory gives them. A share
//?   of 1 says that only fewer bytes can help now, a small one that the time goes elsewhere. GB are 10^9 bytes, as bandwidths
//?   are quoted; with 2^30 the bound would be 7% too high.

//! A token reads `bytes_per_token` bytes, and the memory was measured to give `gb_per_second` (1 GB = 10^9 bytes). A run
//! took `seconds_per_token`.
//!
//! Return two numbers: the most tokens per second that the memory allows, and the share of it that the run reached (1.0:
//! all of it).

pub fn bandwidth_bound(
    bytes_per_token: u64,
    gb_per_second: f64,
    seconds_per_token: f64,
) -> (f64, f64) {
    //-- starter
    // todo!()
    //-- solution
    let bound = gb_per_second * 1e9 / bytes_per_token as f64;
    let reached = 1.0 / seconds_per_token;
    (bound, reached / bound)
    //-- end
}
