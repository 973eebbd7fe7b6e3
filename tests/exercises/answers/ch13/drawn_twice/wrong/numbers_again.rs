//? recognised: its numbers start again
//? why: Begins with number 0 after each loss, as a sampler does that is made together with the table.

use exercise_kit::schedule::Happened;

pub fn draws(prompt: usize, log: &[Happened]) -> Vec<Option<usize>> {
    let (mut known, mut computed, mut drawn) = (prompt, 0, 0);
    let of_one = |happened: &Happened| match *happened {
        Happened::Preempted => {
            computed = 0;
            drawn = 0;
            None
        }
        Happened::Computed(rows) => {
            computed += rows;
            (computed == known).then(|| {
                known += 1;
                drawn += 1;
                drawn - 1
            })
        }
    };
    log.iter().map(of_one).collect()
}
