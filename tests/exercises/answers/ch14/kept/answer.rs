//? title: What stays after a pass
//? page: ch14/check.md
//? section: What stays
//? level: core
//? minutes: 30
//? call: check(answer::kept)
//? hint 1: Write the tokens of the pass in a row: the last one that's known, then the guess. Under each write what the sampler draws from its row. Draw an arrow from each drawn token to the guess that it's compared with. Where does the last arrow point?
//? hint 2: A token is right if it's drawn from a row that comes after right tokens, whatever was guessed in its place. So take it first, and ask afterwards whether you may go on to the next row: only if it's the token that was guessed there, if it doesn't end the answer, and if one more is allowed.
//? hint 3: `for (place, &token) in drawn.iter().enumerate().take(left)`: push the token, then `break` if it's `end` or if `guess.get(place) != Some(&token)`. After a whole guess `get` returns `None`, which is right. The rows are one fewer than the text's tokens.
//? why: A pass over a guess always gives at least one token, and that's the one that we would have got without it. So the loop takes a token and only then asks whether the next row
//?   can be used; a loop that compares first loses the token that was drawn in place of the wrong one, and the one after a whole guess. The rows need no case of their own.
//?   Before each pass all tokens but the last have a row, and afterwards that has to be true again, so it's the number of tokens less one, whatever happened. In the engine
//?   there's no list of what would be drawn: a sampler that's asked has drawn, and its next random number is another one. There the loop mustn't even look at a row that it doesn't need.

//! A text has `known` tokens, at least one, and all but the last have rows in its table. A pass has computed a row for the last
//! one too, and one for each token of `guess`: so the table has `known + guess.len()` rows now. `drawn` says for each row of
//! the pass, in order, what the sampler draws from it if it's asked: one more than was guessed. The answer is over after the
//! token `end`, if there is one, and `end` is a part of it. At most `left` more tokens may be written, and `left` is at least 1.
//!
//! Return the text's new tokens and how many rows of its table may stay.
//!
//! - The new tokens are those that passes without any guess would have drawn, as far as the rows of this one say.
//! - Afterwards it's as before: all of the text's tokens have rows but the last one, which is computed in the next pass.

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
