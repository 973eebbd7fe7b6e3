//? recognised: that has not ended
//? why: Looks at a wait only when it ends. The one that never ends is left out.

pub fn longest_wait(
    came: &[usize],
    needs: &[usize],
    passes: &[Vec<usize>],
) -> Option<(usize, usize)> {
    let mut longest: Option<(usize, usize)> = None;
    for text in 0..came.len() {
        let (mut lacks, mut wait) = (needs[text], 0);
        for pass in passes.iter().skip(came[text]) {
            if lacks == 0 {
                break;
            }
            lacks -= pass[text];
            if pass[text] == 0 {
                wait += 1;
                continue;
            }
            if wait > longest.map_or(0, |(_, passes)| passes) {
                longest = Some((text, wait));
            }
            wait = 0;
        }
    }
    longest
}
