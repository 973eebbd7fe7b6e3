//? title: What each of many clients waits
//? page: ch09/index.md
//? section: One engine, many clients
//? level: warm-up
//? minutes: 20
//? call: check(one_after_the_other, in_turn)
//? hint 1: Draw a line of time for three clients, a prompt of 4 and a step of 1, with three tokens each, and write on every piece of it for whom the engine works there. Where on your line is each first token, and where each last one? Then draw the second line, for the other way.
//? hint 2: An answer of k tokens is the prompt and k - 1 steps. One after the other, a client waits for all of that as often as there are clients before it. In turn, only prompts are before its first token; and the last round of steps is over for the first client while the others still wait for theirs. Is there a round at all if an answer has one token?
//? hint 3: One after the other, client i starts at `i * (prompt + (tokens - 1) * step)`, has its first token `prompt` later, and its end `(tokens - 1) * step` after that. In turn, its first token is there at `(i + 1) * prompt`. With one token that's its end as well; otherwise the prompts take `clients * prompt`, the whole rounds before the last `(tokens - 2) * clients * step`, and its own step of the last round ends `(i + 1) * step` later.
//? why: Both ways the engine computes the same passes, so the last client is done at the same moment, and the tokens a second
//?   are the same. What moves is who waits for what. In turn, a first token waits for the prompts before it and no longer for
//?   whole answers. The price is paid at the end: all but the last client are done later than they would be one after the
//?   other, the first one most of all. With prompts of 400 ms, steps of 50 ms and answers of 33 tokens, the fourth of four
//?   clients sees something after 1.6 seconds in place of 6.4, and the first is done after 7.85 in place of 2.

// So many clients ask a server at the same moment, and their requests are in a line. Reading one prompt takes `prompt`
// milliseconds and gives the first token of its answer. Each further token takes a step of `step` milliseconds. All
// answers have `tokens` tokens, at least one. The engine does one thing at a time and is never idle.
//
// Say when each client has its first token and when it has its last one, in milliseconds since they asked, in the
// order of the line:
//
// - `one_after_the_other`: the engine answers a request to its end before it begins the next.
// - `in_turn`: it reads all prompts first, one after the other. Then it computes one token for each client in turn,
//   until all have theirs.
//
// A token is there when its pass is over. Nobody may have asked at all: then the list is empty.

/// When the first token is there, and when the last one is.
type Waited = (u64, u64);

pub fn one_after_the_other(clients: u64, prompt: u64, step: u64, tokens: u64) -> Vec<Waited> {
    //-- starter
    // todo!()
    //-- solution
    let steps = (tokens - 1) * step;
    let first = |client| client * (prompt + steps) + prompt;
    (0..clients).map(|client| (first(client), first(client) + steps)).collect()
    //-- end
}

pub fn in_turn(clients: u64, prompt: u64, step: u64, tokens: u64) -> Vec<Waited> {
    //-- starter
    // todo!()
    //-- solution
    let waited = |client| {
        let first = (client + 1) * prompt;
        if tokens == 1 {
            return (first, first);
        }
        let whole_rounds = (tokens - 2) * clients * step;
        (first, clients * prompt + whole_rounds + (client + 1) * step)
    };
    (0..clients).map(waited).collect()
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::explained::{ask_each, ask_in_turn};
    use exercise_kit::{Checked, Random};

    /// When the first token is there, and when the last one is.
    type Waited = (u64, u64);

    /// How many clients, what a prompt takes, what a step takes, and how many tokens each answer has.
    type Given = (u64, u64, u64, u64);

    pub fn check(
        one_after_the_other: fn(u64, u64, u64, u64) -> Vec<Waited>,
        in_turn: fn(u64, u64, u64, u64) -> Vec<Waited>,
    ) -> Checked {
        let case = |(clients, prompt, step, tokens): &Given| {
            format!(
                "{clients} clients, a prompt takes {prompt} ms, a step {step} ms, {tokens} tokens each"
            )
        };
        let show = |expected: &Vec<Waited>, found: &Vec<Waited>| {
            let same = expected.iter().zip(found).take_while(|(a, b)| a == b).count();
            let told = |all: &[Waited]| {
                let some: Vec<&Waited> = all.iter().skip(same).take(8).collect();
                format!("{} clients, from {same} on (first, last) {some:?}", all.len())
            };
            (told(expected), told(found))
        };
        let longer = "each answer takes a step longer than its tokens need";
        let others = "each client is answered as if there were no others";
        let first = [(longer, (1, 4, 1, 3)), (others, (2, 4, 1, 3))];
        ask_in_turn(
            first.into_iter().chain(drawn()),
            |given| format!("one_after_the_other: {}", case(given)),
            |&(clients, prompt, step, tokens)| {
                one_after_the_other(clients, prompt, step, tokens)
            },
            |&(clients, prompt, step, tokens)| {
                let length = prompt + (tokens - 1) * step;
                let of = |client: u64| (client * length + prompt, (client + 1) * length);
                (0..clients).map(of).collect()
            },
            show,
        )?;

        let one = "an answer of one token is over when its prompt has been read";
        let side = "the prompts are read side by side: the engine does one thing at a time";
        let last = "the last round ends for everybody at once: a token is there when its own pass is over";
        let first = [(one, (1, 4, 1, 1)), (side, (2, 4, 1, 1)), (last, (2, 4, 1, 3))];
        ask_each(
            first.into_iter().chain(drawn()),
            |(_, given)| format!("in_turn: {}", case(given)),
            |&(_, (clients, prompt, step, tokens))| in_turn(clients, prompt, step, tokens),
            |&(_, (clients, prompt, step, tokens))| {
                let of = |place| {
                    let first = place * prompt;
                    let Some(whole) = tokens.checked_sub(2) else { return (first, first) };
                    (first, clients * prompt + whole * clients * step + place * step)
                };
                (1..=clients).map(of).collect()
            },
            |(likely, _), expected, found| match found.and_then(|found| found.first()) {
                Some((first, _)) if *likely == side && *first > expected[0].0 => {
                    "every first token waits until the last prompt has been read"
                }
                _ => likely,
            },
            show,
        )
    }

    /// The last ones need more than 32 bits, a byte for the clients, or the bits of an `f32`.
    fn drawn() -> Vec<(&'static str, Given)> {
        let mut random = Random::new(93);
        let mut small = |_| {
            let mut below = |most: usize| random.below(most) as u64;
            ("", (below(6), below(9), below(9), 1 + below(6)))
        };
        let mut all: Vec<_> = (0..60).map(&mut small).collect();
        all.extend([
            ("", (4, 400, 50, 33)),
            ("", (3, 5_000_000_001, 50, 100_000)),
            ("", (70_000, 401, 51, 33)),
            ("", (3, 7, 1, (1 << 33) + 1)),
        ]);
        all
    }
}
