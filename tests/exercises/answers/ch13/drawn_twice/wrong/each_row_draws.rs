//? recognised: for each row
//? why: Draws a number for each row that was computed, those that are computed again included.

use exercise_kit::schedule::Happened;

pub fn draws(prompt: usize, log: &[Happened]) -> Vec<Option<usize>> {
    let (mut known, mut computed, mut drawn) = (prompt, 0, 0);
    let of_one = |happened: &Happened| match *happened {
        Happened::Preempted => {
            computed = 0;
            None
        }
        Happened::Computed(rows) => {
            computed += rows;
            (computed == known).then(|| {
                known += 1;
                drawn += rows;
                drawn - rows
            })
        }
    };
    log.iter().map(of_one).collect()
}
