//? recognised: lacks nothing any more
//? why: Goes on after the text has all its rows. It gets none then because it needs none.

pub fn longest_wait(
    came: &[usize],
    _needs: &[usize],
    passes: &[Vec<usize>],
) -> Option<(usize, usize)> {
    let mut longest: Option<(usize, usize)> = None;
    for text in 0..came.len() {
        let mut wait = 0;
        for pass in passes.iter().skip(came[text]) {
            wait = if pass[text] == 0 { wait + 1 } else { 0 };
            if wait > longest.map_or(0, |(_, passes)| passes) {
                longest = Some((text, wait));
            }
        }
    }
    longest
}
