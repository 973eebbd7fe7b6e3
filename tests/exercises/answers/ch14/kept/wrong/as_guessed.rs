//? recognised: and not what was guessed
//? why: Writes the guess down, the wrong one at its end too.

pub fn kept(
    known: usize,
    guess: &[u32],
    drawn: &[u32],
    end: Option<u32>,
    left: usize,
) -> (Vec<u32>, usize) {
    let mut new = Vec::new();
    for (place, &token) in drawn.iter().enumerate().take(left) {
        new.push(*guess.get(place).unwrap_or(&token));
        if Some(token) == end || guess.get(place) != Some(&token) {
            break;
        }
    }
    let rows = known + new.len() - 1;
    (new, rows)
}
