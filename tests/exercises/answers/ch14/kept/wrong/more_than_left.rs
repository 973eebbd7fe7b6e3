//? recognised: more tokens than are left
//? why: Writes more tokens than the answer may have, as soon as a guess is longer than what is left.

pub fn kept(
    known: usize,
    guess: &[u32],
    drawn: &[u32],
    end: Option<u32>,
    left: usize,
) -> (Vec<u32>, usize) {
    let mut new = Vec::new();
    for (place, &token) in drawn.iter().enumerate() {
        new.push(token);
        if Some(token) == end || guess.get(place) != Some(&token) {
            break;
        }
    }
    let rows = known + new.len() - 1;
    (new, rows)
}
