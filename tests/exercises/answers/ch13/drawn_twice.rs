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
    use exercise_kit::explained::{as_written, ask_in_turn};
    use exercise_kit::schedule::Happened::{self, Computed, Preempted};
    use exercise_kit::{Checked, Random};

    type Given = (usize, Vec<Happened>);

    pub fn check(draws: fn(usize, &[Happened]) -> Vec<Option<usize>>) -> Checked {
        let case = |(prompt, log): &Given| format!("a prompt of {prompt}, {log:?}");
        let answer = |(prompt, log): &Given| draws(*prompt, log);
        ask_in_turn(given(), case, answer, right, as_written)
    }

    /// The first ones can be written down. In each, one thing more can go wrong.
    fn given() -> Vec<(&'static str, Given)> {
        let of = |likely, log: &[Happened]| (likely, (3, log.to_vec()));
        let mut given = vec![
            of("", &[]),
            of("a number is drawn in the middle of a prompt", &[Computed(2), Computed(1)]),
            of(
                "what it has drawn is one of its tokens from then on",
                &[Computed(3), Computed(1)],
            ),
            of(
                "its rows are gone, and have to be computed again",
                &[Computed(2), Preempted, Computed(1), Computed(2)],
            ),
            of(
                "nothing is drawn until all of its tokens have rows: those that it has written lose theirs too",
                &[Computed(3), Computed(1), Preempted, Computed(4)],
            ),
            of(
                "the tokens that it has written are known, whatever becomes of their rows",
                &[Computed(3), Preempted, Computed(3)],
            ),
            of(
                "its numbers start again when it loses its rows",
                &[Computed(3), Preempted, Computed(4)],
            ),
        ];
        let mut random = Random::new(133);
        for round in 0..200 {
            let most = [6, 1_000, 100_000][random.below(3)];
            let prompt = 1 + random.below(most);
            let (mut known, mut computed, mut log) = (prompt, 0, Vec::new());
            for _ in 0..if round == 199 { 70_000 } else { random.below(14) } {
                if random.below(5) == 0 && round != 199 {
                    computed = 0;
                    log.push(Preempted);
                    continue;
                }
                let rows = 1 + random.below(known - computed);
                computed += rows;
                known += usize::from(computed == known);
                log.push(Computed(rows));
            }
            given.push(("", (prompt, log)));
        }
        given
    }

    /// By what the text lacks. A number is as large as what was drawn before it.
    fn right((prompt, log): &Given) -> Vec<Option<usize>> {
        let (mut lacks, mut drawn) = (*prompt, 0);
        let one = |happened: &Happened| {
            lacks = match happened {
                Computed(rows) => lacks - rows,
                Preempted => prompt + drawn,
            };
            (lacks == 0).then(|| {
                (lacks, drawn) = (1, drawn + 1);
                drawn - 1
            })
        };
        log.iter().map(one).collect()
    }
}
