//? title: Who has waited longest
//? page: ch13/rule.md
//? section: Who waits
//? level: warm-up
//? minutes: 25
//? call: check(answer::longest_wait)
//? hint 1: Draw a table with a line for each text and a column for each pass, and write into it what the text got. Cross out the passes before it came, and those in which it lacked nothing any more. What's left, and is 0, is a pass in which it waited.
//? hint 2: A text needs two numbers while you go through its passes: what it still lacks, and for how many passes it has waited without a break. A row sets the second one back to 0.
//? hint 3: For each text, begin at `came`, end when nothing is lacking, and compare the wait with the best so far each time it grows: a wait that is still going on at the end counts too. Keep the older text if both are equal, which `>` does and `>=` doesn't.
//? why: Starvation isn't how often somebody was left out, it's for how long. A text that gets nothing in every second pass is slow; one that
//?   gets nothing in a hundred passes after each other looks dead, and its client leaves. So what a schedule must promise is a bound on the
//?   longest run of empty passes, and a test that only adds up would let a starving text hide behind a patient one. The run that hasn't ended yet
//?   is the one to look at: in a schedule that starves somebody for ever, it's the only one that there is.

//! Somebody has written down a schedule: `passes[pass][text]` says how many rows each text got in each pass. Text `t` was there
//! from pass `came[t]` on, and needed `needs[t]` rows in all. It never got more than these.
//!
//! A text *waits* in a pass if it's there, still lacks rows, and gets none. Return the text that waited longest without a break,
//! and for how many passes: `(text, passes)`. Of several that waited equally long, it's the one with the smallest number. If
//! nobody ever waited, return `None`.

pub fn longest_wait(
    came: &[usize],
    needs: &[usize],
    passes: &[Vec<usize>],
) -> Option<(usize, usize)> {
    //-- starter
    // todo!()
    //-- solution
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
    longest
    //-- end
}
