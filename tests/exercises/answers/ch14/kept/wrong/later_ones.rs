//? recognised: after the first wrong guess
//? why: Counts how many guesses are equal to what was drawn, wherever they are. A row after a wrong token says nothing, even if what is drawn from it looks right.

pub fn kept(
    known: usize,
    guess: &[u32],
    drawn: &[u32],
    end: Option<u32>,
    left: usize,
) -> (Vec<u32>, usize) {
    let equal = guess.iter().zip(drawn).filter(|(guess, token)| guess == token).count();
    let mut new = drawn[..=equal].to_vec();
    if let Some(at) = new.iter().position(|token| Some(*token) == end) {
        new.truncate(at + 1);
    }
    new.truncate(left);
    let rows = known + new.len() - 1;
    (new, rows)
}
