//? recognised: the row of the first wrong guess stays
//? why: Keeps a row for each of the text's tokens. The last of these rows was computed for the wrong guess, and the right token never gets one.

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
    let rows = (known + new.len()).min(known + guess.len());
    (new, rows)
}
