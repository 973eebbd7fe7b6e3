//? recognised: need not be computed again
//? why: Throws the rows of all guesses away, the right ones too. The text has got its tokens and lacks their rows: that's a pass saved now and paid for later.

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
    (new, known)
}
