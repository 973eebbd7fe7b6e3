//? recognised: the token that ends it
//? why: Leaves the end token out, and then the text lacks it when the conversation goes on.

pub fn kept(
    known: usize,
    guess: &[u32],
    drawn: &[u32],
    end: Option<u32>,
    left: usize,
) -> (Vec<u32>, usize) {
    let mut new = Vec::new();
    for (place, &token) in drawn.iter().enumerate().take(left) {
        if Some(token) == end {
            break;
        }
        new.push(token);
        if guess.get(place) != Some(&token) {
            break;
        }
    }
    let rows = known + new.len() - 1;
    (new, rows)
}
