//? title: What stays after a pass
//? page: ch14/check.md
//? section: What stays
//? level: core
//? minutes: 30
//? call: check(kept)
//? hint 1: Write the tokens of the pass in a row: the last one that's known, then the guess. Under each write what the sampler draws from its row. Draw an arrow from each drawn token to the guess that it's compared with. Where does the last arrow point?
//? hint 2: A token is right if it's drawn from a row that comes after right tokens, whatever was guessed in its place. So take it first, and ask afterwards whether you may go on to the next row: only if it's the token that was guessed there, if it doesn't end the answer, and if one more is allowed.
//? hint 3: `for (place, &token) in drawn.iter().enumerate().take(left)`: push the token, then `break` if it's `end` or if `guess.get(place) != Some(&token)`. After a whole guess `get` returns `None`, which is right. The rows are one fewer than the text's tokens.
//? why: A pass over a guess always gives at least one token, and that's the one that we would have got without it. So the loop takes a token and only then asks whether the next row
//?   can be used; a loop that compares first loses the token that was drawn in place of the wrong one, and the one after a whole guess. The rows need no case of their own.
//?   Before each pass all tokens but the last have a row, and afterwards that has to be true again, so it's the number of tokens less one, whatever happened. In the engine
//?   there's no list of what would be drawn: a sampler that's asked has drawn, and its next random number is another one. There the loop mustn't even look at a row that it doesn't need.

// A text has `known` tokens, at least one, and all but the last have rows in its table. A pass has computed a row for the last
// one too, and one for each token of `guess`: so the table has `known + guess.len()` rows now. `drawn` says for each row of
// the pass, in order, what the sampler draws from it if it's asked: one more than was guessed. The answer is over after the
// token `end`, if there is one, and `end` is a part of it. At most `left` more tokens may be written, and `left` is at least 1.
//
// Return the text's new tokens and how many rows of its table may stay.
//
// - The new tokens are those that passes without any guess would have drawn, as far as the rows of this one say.
// - Afterwards it's as before: all of the text's tokens have rows but the last one, which is computed in the next pass.

pub fn kept(
    known: usize,
    guess: &[u32],
    drawn: &[u32],
    end: Option<u32>,
    left: usize,
) -> (Vec<u32>, usize) {
    //-- starter
    // todo!()
    //-- solution
    let mut new = Vec::new();
    for (place, &token) in drawn.iter().enumerate().take(left) {
        new.push(token);
        if Some(token) == end || guess.get(place) != Some(&token) {
            break;
        }
    }
    let rows = known + new.len() - 1;
    (new, rows)
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::explained::{Mistake, ask_all};
    use exercise_kit::{Checked, Random};

    struct Given {
        known: usize,
        guess: Vec<u32>,
        drawn: Vec<u32>,
        end: Option<u32>,
        left: usize,
    }

    /// The new tokens, and the rows that stay.
    type Kept = (Vec<u32>, usize);

    pub fn check(kept: fn(usize, &[u32], &[u32], Option<u32>, usize) -> Kept) -> Checked {
        let case = |Given { known, guess, drawn, end, left }: &Given| {
            let over = end.map_or("no end".into(), |end| format!("{end} is the end"));
            format!("{known} known, guess {guess:?}, drawn {drawn:?}, {over}, {left} left")
        };
        let answer = |g: &Given| kept(g.known, &g.guess, &g.drawn, g.end, g.left);
        ask_all(given(), case, answer, right, &mistakes(), |expected, found| {
            (told(expected), told(found))
        })
    }

    fn told((new, rows): &Kept) -> String {
        format!("{new:?}, and {rows} rows stay")
    }

    /// The first ones can be written down.
    fn given() -> Vec<Given> {
        let of = |guess: &[u32], drawn: &[u32], end, left| Given {
            known: 9,
            guess: guess.to_vec(),
            drawn: drawn.to_vec(),
            end,
            left,
        };
        let mut given = vec![
            of(&[], &[5], None, 10),
            of(&[5], &[5, 6], None, 10),
            of(&[5], &[4, 6], None, 10),
            of(&[5, 6, 7], &[5, 6, 7, 8], None, 10),
            of(&[5, 6, 7], &[5, 6, 1, 2], None, 10),
            of(&[5, 6, 7], &[4, 6, 7, 8], None, 10),
            of(&[5, 6, 7], &[5, 2, 7, 8], None, 10),
            of(&[5, 6, 7], &[5, 6, 7, 8], Some(6), 10),
            of(&[5, 6, 7], &[5, 2, 7, 8], Some(2), 10),
            of(&[5, 6, 7], &[5, 2, 7, 8], Some(7), 10),
            of(&[5, 6, 7], &[5, 6, 7, 8], None, 2),
            of(&[5, 6, 7], &[5, 6, 7, 8], None, 1),
        ];
        let mut random = Random::new(142);
        for _ in 0..200 {
            let guess: Vec<u32> =
                (0..random.below(6)).map(|_| random.below(5) as u32).collect();
            let mut draw = |place| match guess.get(place) {
                Some(guess) if random.below(4) > 0 => *guess,
                _ => random.below(5) as u32,
            };
            let drawn = (0..=guess.len()).map(&mut draw).collect();
            let end = (random.below(2) == 0).then(|| random.below(5) as u32);
            let (known, left) = (1 + random.below(100_000), 1 + random.below(7));
            given.push(Given { known, guess, drawn, end, left });
        }
        given
    }

    #[derive(Clone, Copy, PartialEq)]
    enum Wrong {
        Nothing,
        NoneAfterTheGuess,
        OnlyGuesses,
        LaterOnes,
        PastTheEnd,
    }

    fn new_tokens(given: &Given, wrong: Wrong) -> Vec<u32> {
        let Given { guess, drawn, .. } = given;
        let equal = guess.iter().zip(drawn).filter(|(guess, token)| guess == token).count();
        let mut new = Vec::new();
        for (place, &token) in drawn.iter().enumerate() {
            let guessed = guess.get(place).copied();
            let is_end = Some(token) == given.end;
            let stops = match wrong {
                Wrong::NoneAfterTheGuess => guessed.is_none(),
                Wrong::OnlyGuesses => guessed != Some(token),
                _ => false,
            };
            if stops || new.len() == given.left {
                break;
            }
            new.push(token);
            let goes_on = match wrong {
                Wrong::LaterOnes => place < equal,
                _ => guessed == Some(token),
            };
            if !goes_on || (is_end && wrong != Wrong::PastTheEnd) {
                break;
            }
        }
        new
    }

    /// These tokens, and rows for all of the text but the last.
    fn with_rows(given: &Given, wrong: Wrong) -> Kept {
        let new = new_tokens(given, wrong);
        let rows = given.known + new.len() - 1;
        (new, rows)
    }

    fn right(given: &Given) -> Kept {
        with_rows(given, Wrong::Nothing)
    }

    /// The right tokens, and other rows.
    fn but_rows(given: &Given, rows: fn(&Given, &[u32]) -> usize) -> Kept {
        let (new, _) = right(given);
        let rows = rows(given, &new);
        (new, rows)
    }

    fn mistakes() -> Vec<Mistake<Given, Kept>> {
        vec![
            ("all rows of the pass stay, those of wrong guesses too", |g| {
                but_rows(g, |g, _| g.known + g.guess.len())
            }),
            ("there are rows of tokens that the text does not have", |g| {
                but_rows(g, |g, _| {
                    let pairs = g.guess.iter().zip(&g.drawn);
                    g.known + pairs.take_while(|(guess, token)| guess == token).count()
                })
            }),
            (
                "after a whole guess there is one row more, and its token is right as well",
                |g| with_rows(g, Wrong::NoneAfterTheGuess),
            ),
            ("what is drawn in place of a wrong guess is a new token as well", |g| {
                with_rows(g, Wrong::OnlyGuesses)
            }),
            (
                "rows after the first wrong guess count, though they come after another text",
                |g| with_rows(g, Wrong::LaterOnes),
            ),
            ("the answer goes on after its end", |g| with_rows(g, Wrong::PastTheEnd)),
        ]
    }
}
