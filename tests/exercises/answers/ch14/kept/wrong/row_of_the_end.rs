//? recognised: the last token has no row
//? why: Counts the guesses that came true. When the answer ends with one of these, its last token has a row.

pub fn kept(
    known: usize,
    guess: &[u32],
    drawn: &[u32],
    end: Option<u32>,
    left: usize,
) -> (Vec<u32>, usize) {
    let mut new = Vec::new();
    for (place, &token) in drawn.iter().enumerate().take(left) {
        new.push(token);
        if Some(token) == end || guess.get(place) != Some(&token) {
            break;
        }
    }
    let came_true = new.iter().zip(guess).filter(|(token, guess)| token == guess).count();
    (new, known + came_true)
}
