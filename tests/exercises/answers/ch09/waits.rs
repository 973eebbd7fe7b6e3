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
    use exercise_kit::explained::{Answered, Mistake, explained};
    use exercise_kit::{Checked, Failure, call};

    /// When the first token is there, and when the last one is.
    type Waited = (u64, u64);

    #[derive(Clone, Copy)]
    struct Given {
        clients: u64,
        prompt: u64,
        step: u64,
        tokens: u64,
    }

    const SINGLE: &str = "an answer of one token is over when its prompt has been read";

    pub fn check(
        one_after_the_other: fn(u64, u64, u64, u64) -> Vec<Waited>,
        in_turn: fn(u64, u64, u64, u64) -> Vec<Waited>,
    ) -> Checked {
        let all = ask("one_after_the_other", one_after_the_other)?;
        explained(&all, whole_answers, &mistakes_of_whole_answers(), show)?;
        let all = ask("in_turn", in_turn)?;
        explained(&all, rounds, &mistakes_of_rounds(), show)
    }

    fn ask(
        name: &str,
        answer: impl Fn(u64, u64, u64, u64) -> Vec<Waited>,
    ) -> Result<Vec<Answered<Given, Vec<Waited>>>, Failure> {
        let answered = |given: Given| {
            let Given { clients, prompt, step, tokens } = given;
            let case = format!(
                "{name}: {clients} clients, a prompt takes {prompt} ms, a step {step} ms, {tokens} tokens each"
            );
            let found =
                call(&case, || answer(clients, prompt, step, tokens)).map_err(|failure| {
                    match tokens == 1 && failure.found.contains("with overflow") {
                        true => failure.likely(SINGLE),
                        false => failure,
                    }
                })?;
            Ok(Answered { case, given, found })
        };
        given().into_iter().map(answered).collect()
    }

    fn show(expected: &Vec<Waited>, found: &Vec<Waited>) -> (String, String) {
        (format!("(first, last) {expected:?}"), format!("(first, last) {found:?}"))
    }

    /// The first ones can be followed with a pencil; the last is the page's.
    fn given() -> Vec<Given> {
        let small = Given { clients: 1, prompt: 4, step: 1, tokens: 3 };
        vec![
            small,
            Given { clients: 2, ..small },
            Given { clients: 3, ..small },
            Given { clients: 3, step: 10, ..small },
            Given { clients: 3, tokens: 2, ..small },
            Given { clients: 3, tokens: 1, ..small },
            Given { clients: 1, tokens: 1, ..small },
            Given { clients: 0, ..small },
            Given { clients: 0, tokens: 1, ..small },
            Given { clients: 5, prompt: 0, step: 7, tokens: 6 },
            Given { clients: 5, prompt: 7, step: 0, tokens: 6 },
            Given { clients: 4, prompt: 400, step: 50, tokens: 33 },
            Given { clients: 3, prompt: 5_000_000_000, step: 50, tokens: 100_000 },
        ]
    }

    /// Formulas, so that a long answer costs no time.
    fn whole_answers(given: &Given) -> Vec<Waited> {
        one_by_one(given, given.prompt, given.tokens - 1)
    }

    /// The first token after `first`, and an answer of so many steps.
    fn one_by_one(given: &Given, first: u64, steps: u64) -> Vec<Waited> {
        let length = given.prompt + steps * given.step;
        let of = |client: u64| (client * length + first, (client + 1) * length);
        (0..given.clients).map(of).collect()
    }

    fn rounds(given: &Given) -> Vec<Waited> {
        if given.tokens == 1 {
            return firsts(given).map(|first| (first, first)).collect();
        }
        several_rounds(given, given.tokens - 2)
    }

    fn firsts(given: &Given) -> impl Iterator<Item = u64> {
        let prompt = given.prompt;
        (1..=given.clients).map(move |place| place * prompt)
    }

    /// Whole rounds, and a last one in which each client has its place.
    fn several_rounds(given: &Given, whole: u64) -> Vec<Waited> {
        let Given { clients, prompt, step, .. } = *given;
        let before = clients * (prompt + whole * step);
        (1..=clients)
            .zip(firsts(given))
            .map(|(place, first)| (first, before + place * step))
            .collect()
    }

    /// All are done with the last round.
    fn end(given: &Given) -> u64 {
        given.clients * (given.prompt + (given.tokens - 1) * given.step)
    }

    fn same_for_all(given: &Given, waited: Waited) -> Vec<Waited> {
        vec![waited; given.clients as usize]
    }

    const EXTRA: &str = "each answer takes a step longer than its tokens need";
    const ALONE: &str = "each client is answered as if there were no others";
    const NARROW: &str = "a long wait is more than 2^32 milliseconds";
    const SWAPPED: &str = "first and last are in the wrong order";
    const DURATION: &str =
        "this is how long the answer itself takes: when it ends is asked for";

    fn mistakes_of_whole_answers() -> Vec<Mistake<Given, Vec<Waited>>> {
        vec![
            (ALONE, |g| same_for_all(g, (g.prompt, g.prompt + (g.tokens - 1) * g.step))),
            (EXTRA, |g| one_by_one(g, g.prompt, g.tokens)),
            (EXTRA, |g| one_by_one(g, g.prompt + g.step, g.tokens)),
            ("there is a first token before its prompt has been read", |g| {
                one_by_one(g, 0, g.tokens - 1)
            }),
            ("a first token waits for a step: its prompt has given it", |g| {
                one_by_one(g, g.prompt + g.step, g.tokens - 1)
            }),
            ("a prompt is read while an earlier request still waits for its answer", |g| {
                let steps = (g.tokens - 1) * g.step;
                let before = |client| g.clients * g.prompt + client * steps;
                (0..g.clients).map(|client| (before(client), before(client) + steps)).collect()
            }),
            ("this is what `in_turn` gives", rounds),
            (DURATION, |g| {
                let steps = (g.tokens - 1) * g.step;
                whole_answers(g)
                    .into_iter()
                    .map(|(first, _)| (first, g.prompt + steps))
                    .collect()
            }),
            (SWAPPED, |g| {
                whole_answers(g).into_iter().map(|(first, last)| (last, first)).collect()
            }),
            (NARROW, |g| narrow(whole_answers(g))),
        ]
    }

    fn mistakes_of_rounds() -> Vec<Mistake<Given, Vec<Waited>>> {
        vec![
            (ALONE, |g| same_for_all(g, (g.prompt, g.prompt + (g.tokens - 1) * g.step))),
            ("this is what `one_after_the_other` gives", whole_answers),
            ("every first token waits until the last prompt has been read", |g| {
                let all = g.clients * g.prompt;
                let last = |last: u64| if g.tokens == 1 { all } else { last };
                rounds(g).into_iter().map(|(_, end)| (all, last(end))).collect()
            }),
            ("every first token waits until the last prompt has been read", |g| {
                let all = g.clients * g.prompt;
                rounds(g).into_iter().map(|(_, end)| (all, end)).collect()
            }),
            (
                "the last round ends for everybody at once: a token is there when its own pass is over",
                |g| firsts(g).map(|first| (first, end(g))).collect(),
            ),
            (
                "the last round ends for everybody at once: a token is there when its own pass is over",
                |g| {
                    let last = |first| if g.tokens == 1 { first } else { end(g) };
                    firsts(g).map(|first| (first, last(first))).collect()
                },
            ),
            (
                "this is an equal share of the engine for each, all the time: it does one thing after the other",
                |g| same_for_all(g, (g.clients * g.prompt, end(g))),
            ),
            ("the prompts are read side by side: the engine does one thing at a time", |g| {
                side_by_side(g)
            }),
            (
                "the steps of all clients are computed side by side: the engine does one thing at a time",
                |g| firsts(g).map(|first| (first, first + (g.tokens - 1) * g.step)).collect(),
            ),
            (EXTRA, |g| several_rounds(g, g.tokens - 1)),
            (SINGLE, |g| several_rounds(g, g.tokens.saturating_sub(2))),
            (SWAPPED, |g| rounds(g).into_iter().map(|(first, last)| (last, first)).collect()),
            (NARROW, |g| narrow(rounds(g))),
        ]
    }

    /// The time of one prompt stands for all of them.
    fn side_by_side(given: &Given) -> Vec<Waited> {
        let Given { clients, prompt, step, tokens } = *given;
        let last = |place: u64| match tokens {
            1 => prompt,
            _ => prompt + (tokens - 2) * clients * step + place * step,
        };
        (1..=clients).map(|place| (prompt, last(place))).collect()
    }

    fn narrow(all: Vec<Waited>) -> Vec<Waited> {
        let low = |time: u64| time & 0xffff_ffff;
        all.into_iter().map(|(first, last)| (low(first), low(last))).collect()
    }
}
