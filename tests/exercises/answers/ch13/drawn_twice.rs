//? title: A draw too many
//? page: ch13/room.md
//? section: Why it always ends
//? level: core
//? minutes: 25
//? call: check(draws)
//? hint 1: Take a prompt of 3 tokens and write three columns for each line of the log: how many tokens are known, how many have rows, how many numbers were drawn. Let the text write two tokens, lose its rows, and read all five again.
//? hint 2: A token is drawn when the last known token has a row, and at no other time. It makes the text longer by one. Losing rows changes one of the three columns only.
//? hint 3: `known` begins at `prompt`, the other two at 0. For `Computed(rows)`, add the rows; if `computed == known`, the answer is `Some(drawn)`, and `known` and `drawn` grow by one. For `Preempted`, `computed` is 0 again, and the answer is `None`.
//? why: Of all that a running request has, only its rows can be made again. Its tokens are what the client has read, and the state of its sampler is
//?   where the row of random numbers has got to; both have to survive. So they belong to the answer, and the table can be thrown away. An engine that keeps the
//?   sampler with the table starts its numbers anew, or draws one for each token that's read again, and in both cases the answer goes on with
//?   another word than it would have had alone. With temperature 0 nobody notices, so a test for this has to draw.

// A request has a prompt of `prompt` tokens, at least one. It writes a token whenever all of its tokens have rows, and draws a
// random number for it: its sampler's number 0 first, then number 1, and so on. The token is then one of its tokens.
//
// The log says what has happened, in order: rows were computed, the next ones that it lacked; or it was preempted, and has lost
// all of its rows. Say for each line of the log which number was drawn then, or `None` if none was. The answer has to be the
// same, number for number, as if it had never been preempted.

use exercise_kit::schedule::Happened;

pub fn draws(prompt: usize, log: &[Happened]) -> Vec<Option<usize>> {
    //-- starter
    // todo!()
    //-- solution
    let (mut known, mut computed, mut drawn) = (prompt, 0, 0);
    let of_one = |happened: &Happened| match *happened {
        Happened::Preempted => {
            computed = 0;
            None
        }
        Happened::Computed(rows) => {
            computed += rows;
            (computed == known).then(|| {
                known += 1;
                drawn += 1;
                drawn - 1
            })
        }
    };
    log.iter().map(of_one).collect()
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::explained::{Mistake, as_written, ask_all};
    use exercise_kit::schedule::Happened;
    use exercise_kit::{Checked, Random};

    struct Given {
        prompt: usize,
        log: Vec<Happened>,
    }

    type Draws = Vec<Option<usize>>;

    pub fn check(draws: fn(usize, &[Happened]) -> Draws) -> Checked {
        let case = |Given { prompt, log }: &Given| format!("a prompt of {prompt}, {log:?}");
        let answer = |g: &Given| draws(g.prompt, &g.log);
        ask_all(given(), case, answer, right, &mistakes(), as_written)
    }

    /// The first ones can be written down.
    fn given() -> Vec<Given> {
        use Happened::{Computed, Preempted};
        let of = |prompt, log: &[Happened]| Given { prompt, log: log.to_vec() };
        let mut given = vec![
            of(1, &[]),
            of(3, &[Computed(3)]),
            of(3, &[Computed(2)]),
            of(3, &[Computed(2), Computed(1)]),
            of(3, &[Computed(3), Computed(1), Computed(1)]),
            of(3, &[Computed(2), Preempted, Computed(3)]),
            of(3, &[Computed(3), Computed(1), Preempted, Computed(5), Computed(1)]),
            of(
                3,
                &[Computed(3), Computed(1), Preempted, Computed(3), Computed(2), Computed(1)],
            ),
            of(2, &[Computed(2), Preempted, Preempted, Computed(1), Preempted, Computed(3)]),
        ];
        let mut random = Random::new(133);
        for _ in 0..200 {
            let most = [6, 1_000][random.below(2)];
            let prompt = 1 + random.below(most);
            let (mut known, mut computed, mut log) = (prompt, 0, Vec::new());
            for _ in 0..random.below(14) {
                if random.below(5) == 0 {
                    computed = 0;
                    log.push(Preempted);
                    continue;
                }
                let rows = 1 + random.below(known - computed);
                computed += rows;
                known += usize::from(computed == known);
                log.push(Computed(rows));
            }
            given.push(Given { prompt, log });
        }
        given
    }

    #[derive(Clone, Copy, PartialEq)]
    enum Wrong {
        Nothing,
        NumbersAgain,
        EachPass,
        FromThePrompt,
        Forgotten,
        RowsKept,
        NeverLonger,
    }

    fn drawn(given: &Given, wrong: Wrong) -> Draws {
        let (mut known, mut computed, mut drawn) = (given.prompt, 0, 0);
        let of_one = |happened: &Happened| {
            let rows = match *happened {
                Happened::Computed(rows) => rows,
                Happened::Preempted => {
                    computed = if wrong == Wrong::RowsKept { computed } else { 0 };
                    drawn = if wrong == Wrong::NumbersAgain { 0 } else { drawn };
                    known = if wrong == Wrong::Forgotten { given.prompt } else { known };
                    return None;
                }
            };
            computed += rows;
            let is_whole = match wrong {
                Wrong::FromThePrompt => computed >= given.prompt,
                _ => computed == known,
            };
            (is_whole || wrong == Wrong::EachPass).then(|| {
                known += usize::from(is_whole && wrong != Wrong::NeverLonger);
                let number = drawn;
                drawn += 1;
                number
            })
        };
        given.log.iter().map(of_one).collect()
    }

    fn right(given: &Given) -> Draws {
        drawn(given, Wrong::Nothing)
    }

    fn mistakes() -> Vec<Mistake<Given, Draws>> {
        vec![
            ("its numbers start again when it loses its rows", |g| {
                drawn(g, Wrong::NumbersAgain)
            }),
            ("a number is drawn in the middle of a prompt", |g| drawn(g, Wrong::EachPass)),
            (
                "nothing is drawn until all of its tokens have rows: those that it has written lose theirs too",
                |g| drawn(g, Wrong::FromThePrompt),
            ),
            ("the tokens that it has written are known, whatever becomes of their rows", |g| {
                drawn(g, Wrong::Forgotten)
            }),
            ("its rows are gone, and have to be computed again", |g| drawn(g, Wrong::RowsKept)),
            ("what it has drawn is one of its tokens from then on", |g| {
                drawn(g, Wrong::NeverLonger)
            }),
        ]
    }
}
