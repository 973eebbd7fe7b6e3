//? recognised: is one of its tokens
//? why: Lets the text stay as long as its prompt, so that it never has rows for all again.

use exercise_kit::schedule::Happened;

pub fn draws(prompt: usize, log: &[Happened]) -> Vec<Option<usize>> {
    let (mut computed, mut drawn) = (0, 0);
    let of_one = |happened: &Happened| match *happened {
        Happened::Preempted => {
            computed = 0;
            None
        }
        Happened::Computed(rows) => {
            computed += rows;
            (computed == prompt).then(|| {
                drawn += 1;
                drawn - 1
            })
        }
    };
    log.iter().map(of_one).collect()
}
