//? title: How long a guess should be
//? page: ch14/pays.md
//? section: What a pass brings
//? level: core
//? minutes: 30
//? call: check(best_length)
//? hint 1: Suppose that three of four guesses are right, and guess two tokens. How often does a pass bring one token, two, or three? What is that on average? And how many rows has it computed?
//? hint 2: The second guess counts only if the first one was right too, so it adds p × p on average, the third one p × p × p, and so on. The token after the right ones comes in any case and adds 1. Every length has to be tried, because nobody says that the curve has a single bend.
//? hint 3: Go through `cost` with its index, which is the length of the guess, beginning with 0. Keep `tokens` and `power`, 0 and 1 at first; for each length add `power` to `tokens` and multiply it by `p`. Remember a length if its `tokens / cost` is greater than the best before it.
//? why: A further guess adds less than the one before it, p times as much, while a further row costs about the same each time. So there's a length from which on a guess
//?   costs more than it brings, and it's shorter than one hopes: if three of four are right, a guess without end would bring four tokens on average, and a guess of three
//?   already brings nearly three. Where the curve has a step, the answer jumps. A second row is dear if the kernel for one row is a good one, and then a guess of one token can
//?   be the worst of all: either none or several. The engine knows neither p nor the curve. To halve after a mistake and to double after a whole guess is its way to feel for the same number.

// A pass computes a row for the last token of a text, and one more for each token that's guessed. Over `r` rows it takes as
// long as `cost[r - 1]` passes over a single one, so `cost[0]` is 1. As long as all guesses before it were right, the next
// one is right with the probability `p`, from 0 to 1. After the first wrong one, nothing counts any more. A pass always
// brings one token more than guesses that came true.
//
// Return how many tokens to guess for the most tokens in the same time, on average. The pass can't have more rows than
// `cost` has numbers, and not guessing at all is allowed: then it's 0. Of several lengths that are equally good, return the
// shortest.

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

//-- check
pub mod check {
    use exercise_kit::explained::{as_written, ask_in_turn};
    use exercise_kit::{Checked, Random};

    type Given = (Vec<f64>, f64);

    pub fn check(best_length: fn(&[f64], f64) -> usize) -> Checked {
        let case = |(cost, p): &Given| format!("p is {p}, the rows cost {cost:?}");
        let answer = |(cost, p): &Given| best_length(cost, *p);
        let right = |given: &Given| best(&gains(given));
        ask_in_turn(given(), case, answer, right, as_written)
    }

    /// The first ones can be computed by hand, and in each, one thing more can go wrong. Where two lengths are equally good,
    /// every number is a sum of a few powers of two, so that they are equal however it's computed.
    fn given() -> Vec<(&'static str, Given)> {
        let mut given: Vec<_> = [
            (
                "if every guess is right, the formula of the series divides 0 by 0",
                &[1.0, 1.25][..],
                1.0,
            ),
            (
                "there is a row for the last token too: one more than was guessed",
                &[1.0, 2.0, 2.0],
                1.0,
            ),
            (
                "these are the most tokens in a pass, and not in the same time",
                &[1.0, 1.0, 4.0],
                1.0,
            ),
            ("the token after the guesses that came true is new as well", &[1.0, 1.75], 0.5),
            (
                "after the first wrong one nothing counts: the second adds less than the first",
                &[1.0, 1.5, 1.75],
                0.5,
            ),
            (
                "longer guesses can get better again: the curve of costs has steps",
                &[1.0, 2.5, 2.5],
                1.0,
            ),
            ("", &[1.0], 0.5),
            ("", &[1.0, 1.0, 1.0], 0.0),
        ]
        .map(|(reason, cost, p)| (reason, (cost.to_vec(), p)))
        .into();
        let mut random = Random::new(143);
        // The second is better or worse by a little that an f32 of p, or of a cost, has lost.
        given.extend((0..20).map(|round| {
            let p = random.below(1 << 20) as f64 / f64::from((1 << 20) + 7);
            let more = if round % 2 == 0 { 1e-12 } else { -1e-12 };
            ("", (vec![1.0, (1.0 + p) * (1.0 + more)], p))
        }));
        while given.len() < 400 {
            let (mut hundredths, steps) = (100, 10 + random.below(70));
            let mut next = |_| {
                let cost = f64::from(hundredths) / 100.0;
                hundredths += random.below(steps) as u32;
                cost
            };
            let cost = (0..1 + steps % 12).map(&mut next).collect();
            let one = (cost, random.below(21) as f64 / 20.0);
            // No other length may be nearly as good as the best one.
            let gains = gains(&one);
            let near = |gain: &&f64| **gain > gains[best(&gains)] * (1.0 - 1e-9);
            if gains.iter().filter(near).count() == 1 {
                given.push(("", one));
            }
        }
        given
    }

    /// What each length brings on average, in the time of a pass over one row.
    fn gains((cost, p): &Given) -> Vec<f64> {
        let tokens = |length: usize| (0..=length).map(|i| p.powi(i as i32)).sum::<f64>();
        cost.iter().enumerate().map(|(length, cost)| tokens(length) / cost).collect()
    }

    /// The first of the best.
    fn best(gains: &[f64]) -> usize {
        let most = gains.iter().copied().fold(0.0, f64::max);
        gains.iter().position(|gain| *gain == most).unwrap_or(0)
    }
}
