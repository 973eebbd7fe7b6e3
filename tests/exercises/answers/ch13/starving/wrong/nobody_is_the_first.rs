//? recognised: nobody waited
//? why: Says that text 0 waited for 0 passes. That reads like somebody who waited.

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
            wait = if pass[text] == 0 { wait + 1 } else { 0 };
            if wait > longest.map_or(0, |(_, passes)| passes) {
                longest = Some((text, wait));
            }
        }
    }
    longest.or(if came.is_empty() { None } else { Some((0, 0)) })
}
