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
    use exercise_kit::Checked;
    use exercise_kit::explained::{Mistake, ask_all};

    /// When the first token is there, and when the last one is.
    type Waited = (u64, u64);

    #[derive(Clone, Copy)]
    struct Given {
        clients: u64,
        prompt: u64,
        step: u64,
        tokens: u64,
    }

    pub fn check(
        one_after_the_other: fn(u64, u64, u64, u64) -> Vec<Waited>,
        in_turn: fn(u64, u64, u64, u64) -> Vec<Waited>,
    ) -> Checked {
        let case = |Given { clients, prompt, step, tokens }: &Given| {
            format!(
                "{clients} clients, a prompt takes {prompt} ms, a step {step} ms, {tokens} tokens each"
            )
        };
        let show = |expected: &Vec<Waited>, found: &Vec<Waited>| {
            (format!("(first, last) {expected:?}"), format!("(first, last) {found:?}"))
        };
        ask_all(
            given(),
            |g| format!("one_after_the_other: {}", case(g)),
            |g| one_after_the_other(g.clients, g.prompt, g.step, g.tokens),
            whole_answers,
            &mistakes_of_whole_answers(),
            show,
        )?;
        ask_all(
            given(),
            |g| format!("in_turn: {}", case(g)),
            |g| in_turn(g.clients, g.prompt, g.step, g.tokens),
            rounds,
            &mistakes_of_rounds(),
            show,
        )
        .map_err(|failure| {
            failure.if_stopped(
                "with overflow",
                "an answer of one token is over when its prompt has been read",
            )
        })
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
            Given { clients: 300, prompt: 5_000_000_000, step: 50_000_001, tokens: 33 },
        ]
    }

    /// Formulas, so that a long answer costs no time.
    fn whole_answers(given: &Given) -> Vec<Waited> {
        one_by_one(given, given.tokens - 1)
    }

    /// Each answer takes so many steps.
    fn one_by_one(given: &Given, steps: u64) -> Vec<Waited> {
        let length = given.prompt + steps * given.step;
        let of = |client: u64| (client * length + given.prompt, (client + 1) * length);
        (0..given.clients).map(of).collect()
    }

    fn rounds(given: &Given) -> Vec<Waited> {
        let Given { clients, prompt, step, .. } = *given;
        in_rounds(given, |place| (place * prompt, clients * prompt, place * step))
    }

    /// From a client's place in the line, from 1: its first token, the time of all prompts, and its own step of a round.
    fn in_rounds(given: &Given, times: impl Fn(u64) -> (u64, u64, u64)) -> Vec<Waited> {
        let of = |place| {
            let (first, prompts, own) = times(place);
            let Some(whole) = given.tokens.checked_sub(2) else { return (first, first) };
            (first, prompts + whole * given.clients * given.step + own)
        };
        (1..=given.clients).map(of).collect()
    }

    fn mistakes_of_whole_answers() -> Vec<Mistake<Given, Vec<Waited>>> {
        vec![
            ("each client is answered as if there were no others", |g| {
                let one = (g.prompt, g.prompt + (g.tokens - 1) * g.step);
                vec![one; g.clients as usize]
            }),
            ("each answer takes a step longer than its tokens need", |g| {
                one_by_one(g, g.tokens)
            }),
        ]
    }

    fn mistakes_of_rounds() -> Vec<Mistake<Given, Vec<Waited>>> {
        vec![
            ("every first token waits until the last prompt has been read", |g| {
                in_rounds(g, |place| {
                    (g.clients * g.prompt, g.clients * g.prompt, place * g.step)
                })
            }),
            (
                "the last round ends for everybody at once: a token is there when its own pass is over",
                |g| {
                    in_rounds(g, |place| {
                        (place * g.prompt, g.clients * g.prompt, g.clients * g.step)
                    })
                },
            ),
            ("the prompts are read side by side: the engine does one thing at a time", |g| {
                in_rounds(g, |place| (g.prompt, g.prompt, place * g.step))
            }),
        ]
    }
}
