//? title: How long a guess should be
//? page: ch14/pays.md
//? section: What a pass brings
//? level: core
//? minutes: 30
//? call: check(answer::best_length)
//? hint 1: Suppose that three of four guesses are right, and guess two tokens. How often does a pass bring one token, two, or three? What is that on average? And how many rows has it computed?
//? hint 2: The second guess counts only if the first one was right too, so it adds p × p on average, the third one p × p × p, and so on. The token after the right ones comes in any case and adds 1. Every length has to be tried, because nobody says that the curve has a single bend.
//? hint 3: Go through `cost` with its index, which is the length of the guess, beginning with 0. Keep `tokens` and `power`, 0 and 1 at first; for each length add `power` to `tokens` and multiply it by `p`. Remember a length if its `tokens / cost` is greater than the best before it.
//? why: A further guess adds less than the one before it, p times as much, while a further row costs about the same each time. So there's a length from which on a guess
//?   costs more than it brings, and it's shorter than one hopes: if three of four are right, a guess without end would bring four tokens on average, and a guess of three
//?   already brings nearly three. Where the curve has a step, the answer jumps. A second row is dear if the kernel for one row is a good one, and then a guess of one token can
//?   be the worst of all: either none or several. The engine knows neither p nor the curve. To halve after a mistake and to double after a whole guess is its way to feel for the same number.

//! A pass computes a row for the last token of a text, and one more for each token that's guessed. Over `r` rows it takes as
//! long as `cost[r - 1]` passes over a single one, so `cost[0]` is 1. As long as all guesses before it were right, the next
//! one is right with the probability `p`, from 0 to 1. After the first wrong one, nothing counts any more. A pass always
//! brings one token more than guesses that came true.
//!
//! Return how many tokens to guess for the most tokens in the same time, on average. The pass can't have more rows than
//! `cost` has numbers, and not guessing at all is allowed: then it's 0. Of several lengths that are equally good, return the
//! shortest.

pub fn best_length(cost: &[f64], p: f64) -> usize {
    //-- starter
    // todo!()
    //-- solution
    let (mut tokens, mut power) = (0.0, 1.0);
    let (mut best, mut most) = (0, 0.0);
    for (length, cost) in cost.iter().enumerate() {
        tokens += power;
        power *= p;
        if tokens / cost > most {
            (best, most) = (length, tokens / cost);
        }
    }
    best
    //-- end
}
