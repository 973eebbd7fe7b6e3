//? title: Who has waited longest
//? page: ch13/rule.md
//? section: Who waits
//? level: warm-up
//? minutes: 25
//? call: check(longest_wait)
//? hint 1: Draw a table with a line for each text and a column for each pass, and write into it what the text got. Cross out the passes before it came, and those in which it lacked nothing any more. What's left, and is 0, is a pass in which it waited.
//? hint 2: A text needs two numbers while you go through its passes: what it still lacks, and for how many passes it has waited without a break. A row sets the second one back to 0.
//? hint 3: For each text, begin at `came`, end when nothing is lacking, and compare the wait with the best so far each time it grows: a wait that is still going on at the end counts too. Keep the older text if both are equal, which `>` does and `>=` doesn't.
//? why: Starvation isn't how often somebody was left out, it's for how long. A text that gets nothing in every second pass is slow; one that
//?   gets nothing in a hundred passes after each other looks dead, and its client leaves. So what a schedule must promise is a bound on the
//?   longest run of empty passes, and a test that only adds up would let a starving text hide behind a patient one. The run that hasn't ended yet
//?   is the one to look at: in a schedule that starves somebody for ever, it's the only one that there is.

// Somebody has written down a schedule: `passes[pass][text]` says how many rows each text got in each pass. Text `t` was there
// from pass `came[t]` on, and needed `needs[t]` rows in all. It never got more than these.
//
// A text *waits* in a pass if it's there, still lacks rows, and gets none. Return the text that waited longest without a break,
// and for how many passes: `(text, passes)`. Of several that waited equally long, it's the one with the smallest number. If
// nobody ever waited, return `None`.

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

//-- check
pub mod check {
    use exercise_kit::explained::{as_written, ask_in_turn};
    use exercise_kit::{Checked, Random};

    struct Given {
        came: Vec<usize>,
        needs: Vec<usize>,
        passes: Vec<Vec<usize>>,
    }

    pub fn check(
        longest_wait: fn(&[usize], &[usize], &[Vec<usize>]) -> Option<(usize, usize)>,
    ) -> Checked {
        let case = |Given { came, needs, passes }: &Given| match passes.len() {
            0..50 => format!("came at {came:?}, needed {needs:?}, passes {passes:?}"),
            many => format!("came at {came:?}, needed {needs:?}, {many} passes"),
        };
        let answer = |g: &Given| longest_wait(&g.came, &g.needs, &g.passes);
        ask_in_turn(given(), case, answer, right, as_written)
    }

    /// The first ones can be drawn. In each, one thing more can go wrong.
    fn given() -> Vec<(&'static str, Given)> {
        let of = |reason, came: &[usize], needs: &[usize], passes: &[&[usize]]| {
            let passes = passes.iter().map(|pass| pass.to_vec()).collect();
            (reason, Given { came: came.to_vec(), needs: needs.to_vec(), passes })
        };
        let mut given = vec![
            of("", &[], &[], &[]),
            of("nobody waited, and somebody is named all the same", &[0], &[2], &[&[1], &[1]]),
            of(
                "a pass counts in which the text had not come yet",
                &[2],
                &[1],
                &[&[0], &[0], &[1]],
            ),
            of("a text goes on waiting that lacks nothing any more", &[0], &[1], &[&[1], &[0]]),
            of(
                "only passes count that come after each other, without a break",
                &[0],
                &[3],
                &[&[0], &[1], &[0], &[1], &[1]],
            ),
            of("a wait that has not ended is left out", &[0], &[3], &[&[1], &[0], &[0]]),
            of(
                "of those that waited equally long, it's the one with the smallest number",
                &[0, 0],
                &[2, 2],
                &[&[1, 0], &[0, 1], &[1, 1]],
            ),
        ];
        let mut starved = vec![vec![1, 0]; 70_000];
        starved.push(vec![0, 1]);
        let starved = Given { came: vec![0, 0], needs: vec![80_000, 1], passes: starved };
        given.push(("", starved));
        let mut random = Random::new(131);
        given.extend((0..200).map(|_| ("", any(&mut random))));
        given
    }

    fn any(random: &mut Random) -> Given {
        let (texts, passes) = (1 + random.below(4), random.below(9));
        let came: Vec<usize> = (0..texts).map(|_| random.below(passes + 1)).collect();
        let needs: Vec<usize> = (0..texts).map(|_| 1 + random.below(6)).collect();
        let mut lacks = needs.clone();
        let passes = (0..passes).map(|pass| {
            let rows = (0..texts).map(|text| match random.below(3) {
                0 if came[text] <= pass => lacks[text].min(1 + random.below(2)),
                _ => 0,
            });
            let rows: Vec<usize> = rows.collect();
            lacks.iter_mut().zip(&rows).for_each(|(lacks, rows)| *lacks -= rows);
            rows
        });
        let passes = passes.collect();
        Given { came, needs, passes }
    }

    /// The longest run of passes without rows, of all that each text was there and lacked something.
    fn right(given: &Given) -> Option<(usize, usize)> {
        let wait = |text: usize| {
            let mut lacks = given.needs[text];
            let rows = given.passes.iter().skip(given.came[text]).map(|pass| pass[text]);
            let rows: Vec<usize> = rows
                .take_while(|rows| {
                    let is_waiting = lacks > 0;
                    lacks -= lacks.min(*rows);
                    is_waiting
                })
                .collect();
            rows.split(|rows| *rows > 0).map(<[usize]>::len).max().unwrap_or(0)
        };
        let waits = (0..given.came.len()).map(|text| (text, wait(text)));
        // Of equals the last one is the largest: so they come from the end.
        waits.rev().max_by_key(|(_, wait)| *wait).filter(|(_, wait)| *wait > 0)
    }
}
