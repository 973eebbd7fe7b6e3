//? recognised: all rows of the pass stay
//? why: Doesn't cut the table back. It has more rows than the text has tokens, and the next row comes after wrong ones.

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
    let rows = known + guess.len();
    (new, rows)
}
