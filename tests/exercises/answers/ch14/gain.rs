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
    use exercise_kit::explained::{Mistake, as_written, ask_all};
    use exercise_kit::{Checked, Random};

    struct Given {
        cost: Vec<f64>,
        p: f64,
    }

    pub fn check(best_length: fn(&[f64], f64) -> usize) -> Checked {
        let case = |Given { cost, p }: &Given| format!("p is {p}, the rows cost {cost:?}");
        let answer = |g: &Given| best_length(&g.cost, g.p);
        ask_all(given(), case, answer, right, &mistakes(), as_written)
    }

    /// Chapter 12's curves up to sixteen rows, on two cores, with straight lines between what was measured: of Q8_0, and of
    /// Q4_K_M, where a second row is dear.
    const Q8_0: [f64; 16] = [
        1.0, 0.96, 1.34, 1.38, 1.58, 1.78, 1.99, 2.2, 2.38, 2.56, 2.74, 2.92, 3.15, 3.38, 3.62,
        3.85,
    ];
    const Q4_K_M: [f64; 16] = [
        1.0, 1.62, 2.09, 2.03, 2.25, 2.46, 2.66, 2.86, 3.1, 3.34, 3.58, 3.82, 4.03, 4.24, 4.44,
        4.65,
    ];

    /// The first ones can be computed by hand. Where two lengths are equally good, every number is a sum of a few powers of
    /// two, so that they are equal however it's computed; elsewhere the second best is clearly worse.
    fn given() -> Vec<Given> {
        let of = |cost: &[f64], p| Given { cost: cost.to_vec(), p };
        let mut given = vec![
            of(&[1.0], 0.5),
            of(&[1.0, 1.25], 0.5),
            of(&[1.0, 1.75], 0.5),
            of(&[1.0, 1.5], 0.5),
            of(&[1.0, 1.0, 1.0], 0.0),
            of(&[1.0, 1.25, 1.5], 1.0),
            of(&[1.0, 2.0, 3.0, 4.0], 1.0),
            of(&[1.0, 1.25, 1.25, 2.0], 0.5),
            of(&[1.0, 2.0, 2.0, 2.0], 1.0),
            of(&[1.0, 1.5, 1.75, 1.875], 0.5),
        ];
        for p in [0.0, 0.25, 0.5, 0.75, 0.9, 1.0] {
            given.extend([of(&Q8_0, p), of(&Q4_K_M, p)]);
        }
        let mut random = Random::new(143);
        while given.len() < 200 {
            let mut hundredths = 100;
            let steps = 10 + random.below(70);
            let mut next = |_| {
                let cost = f64::from(hundredths) / 100.0;
                hundredths += random.below(steps) as u32;
                cost
            };
            let cost = (0..1 + steps % 12).map(&mut next).collect();
            let one = Given { cost, p: random.below(21) as f64 / 20.0 };
            if is_clear(&one) {
                given.push(one);
            }
        }
        given
    }

    /// No other length is nearly as good as the best one.
    fn is_clear(given: &Given) -> bool {
        let best = right(given);
        let gains = gains(given, tokens);
        let near = |gain: &&f64| **gain > gains[best] * (1.0 - 1e-6);
        gains.iter().filter(near).count() == 1
    }

    /// What so many guesses bring on average.
    fn tokens(length: usize, p: f64) -> f64 {
        let mut power = 1.0;
        let each = (0..=length).map(|_| {
            let right = power;
            power *= p;
            right
        });
        each.sum()
    }

    fn gains(given: &Given, tokens: impl Fn(usize, f64) -> f64) -> Vec<f64> {
        let of = |(length, cost): (usize, &f64)| tokens(length, given.p) / cost;
        given.cost.iter().enumerate().map(of).collect()
    }

    /// The first of the best.
    fn first_best(gains: &[f64]) -> usize {
        let (mut best, mut most) = (0, 0.0);
        for (length, &gain) in gains.iter().enumerate() {
            if gain > most {
                (best, most) = (length, gain);
            }
        }
        best
    }

    fn right(given: &Given) -> usize {
        first_best(&gains(given, tokens))
    }

    fn mistakes() -> Vec<Mistake<Given, usize>> {
        vec![
            (
                "after the first wrong one nothing counts: the second adds less than the first",
                |g| first_best(&gains(g, |length, p| 1.0 + length as f64 * p)),
            ),
            ("the token after the guesses that came true is new as well", |g| {
                first_best(&gains(g, |length, p| tokens(length, p) - 1.0))
            }),
            ("there is a row for the last token too: one more than was guessed", |g| {
                let cost = |at: usize| g.cost[at.saturating_sub(1)];
                let cost = (0..g.cost.len()).map(cost).collect();
                right(&Given { cost, p: g.p })
            }),
            ("these are the most tokens in a pass, and not in the same time", |g| {
                right(&Given { cost: vec![1.0; g.cost.len()], p: g.p })
            }),
            ("if every guess is right, the formula of the series divides 0 by 0", |g| {
                if g.p == 1.0 { 0 } else { right(g) }
            }),
            ("longer guesses can get better again: the curve of costs has steps", |g| {
                let gains = gains(g, tokens);
                let falls = gains.windows(2).position(|pair| pair[1] < pair[0]);
                first_best(&gains[..falls.map_or(gains.len(), |at| at + 1)])
            }),
        ]
    }
}
