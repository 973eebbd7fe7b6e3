//? recognised: drawn in place of
//? why: Keeps only the guesses that came true. If the first one is wrong, this pass was for nothing, and so is the next one with the same guess.

pub fn kept(
    known: usize,
    guess: &[u32],
    drawn: &[u32],
    end: Option<u32>,
    left: usize,
) -> (Vec<u32>, usize) {
    let pairs = guess.iter().zip(drawn).take(left);
    let right = pairs.take_while(|(guess, token)| guess == token);
    let mut new: Vec<u32> = right.map(|(_, token)| *token).collect();
    if let Some(at) = new.iter().position(|token| Some(*token) == end) {
        new.truncate(at + 1);
    }
    let rows = known + new.len() - 1;
    (new, rows)
}
