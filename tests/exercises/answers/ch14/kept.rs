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
    use exercise_kit::explained::ask_each;
    use exercise_kit::{Checked, Random};

    struct Given {
        known: usize,
        guess: Vec<u32>,
        drawn: Vec<u32>,
        end: Option<u32>,
        left: usize,
        /// What is likely if these are the first tokens that are wrong.
        likely: &'static str,
    }

    /// The new tokens, and the rows that stay.
    type Kept = (Vec<u32>, usize);

    pub fn check(kept: fn(usize, &[u32], &[u32], Option<u32>, usize) -> Kept) -> Checked {
        let case = |Given { known, guess, drawn, end, left, .. }: &Given| {
            let over = end.map_or("no end".into(), |end| format!("{end} is the end"));
            format!("{known} known, guess {guess:?}, drawn {drawn:?}, {over}, {left} left")
        };
        let answer = |g: &Given| kept(g.known, &g.guess, &g.drawn, g.end, g.left);
        let likely = |g: &Given, expected: &Kept, found: Option<&Kept>| match found {
            Some((new, rows)) if *new == expected.0 => match *rows == g.known + g.guess.len() {
                true => "all rows of the pass stay, those of wrong guesses too",
                false => "there are rows of tokens that the text does not have",
            },
            _ => g.likely,
        };
        ask_each(given(), case, answer, right, likely, |expected, found| {
            let told = |(new, rows): &Kept| format!("{new:?}, and {rows} rows stay");
            (told(expected), told(found))
        })
    }

    /// The first ones can be written down. In each, one thing more can go wrong.
    fn given() -> Vec<Given> {
        let of = |likely, guess: &[u32], drawn: &[u32], end, left| Given {
            known: 9,
            guess: guess.to_vec(),
            drawn: drawn.to_vec(),
            end,
            left,
            likely,
        };
        let place = "what is drawn in place of a wrong guess is a new token as well";
        let after = "after a whole guess there is one row more, and its token is right as well";
        let later =
            "rows after the first wrong guess count, though they come after another text";
        let mut given = vec![
            of(place, &[5, 6, 7], &[5, 6, 1, 2], None, 10),
            of(after, &[5], &[5, 6], None, 10),
            of(later, &[5, 6, 7], &[5, 2, 7, 8], None, 10),
            of("", &[5, 6, 7], &[5, 6, 1, 2], None, 1),
            of("the answer goes on after its end", &[5, 6, 7], &[5, 6, 7, 8], Some(6), 10),
            of("", &[], &[5], None, 10),
        ];
        let mut random = Random::new(142);
        for _ in 0..300 {
            let length = random.below(6) * [1, 1, 1, 100][random.below(4)];
            let apart = [1, 1 << 16, 151_936 / 5][random.below(3)];
            let mut any = || (random.below(5) * apart) as u32;
            let guess: Vec<u32> = (0..length).map(|_| any()).collect();
            let end = Some(any());
            let mut drawn = guess.clone();
            drawn.push(any());
            if random.below(3) > 0 {
                let from = random.below(length + 1);
                drawn[from..]
                    .iter_mut()
                    .for_each(|token| *token = (random.below(5) * apart) as u32);
            }
            let end = end.filter(|_| random.below(2) == 0 && length < 9);
            let (known, left) = (1 + random.below(1 << 33), 1 + random.below(length + 3));
            given.push(Given { known, guess, drawn, end, left, likely: "" });
        }
        given
    }

    /// As many as are right, by what comes first: a wrong guess, the end, or too many.
    fn right(given: &Given) -> Kept {
        let Given { known, guess, drawn, end, left, .. } = given;
        let is_other = |(guess, token): (&u32, &u32)| guess != token;
        let differs = guess.iter().zip(drawn).position(is_other).unwrap_or(guess.len());
        let ends = drawn.iter().position(|token| Some(*token) == *end).unwrap_or(differs);
        let count = (differs.min(ends) + 1).min(*left);
        (drawn[..count].to_vec(), known + count - 1)
    }
}
