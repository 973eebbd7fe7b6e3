//? recognised: its rows are gone
//? why: Goes on as if the rows were still there.

use exercise_kit::schedule::Happened;

pub fn draws(prompt: usize, log: &[Happened]) -> Vec<Option<usize>> {
    let (mut known, mut computed, mut drawn) = (prompt, 0, 0);
    let of_one = |happened: &Happened| match *happened {
        Happened::Preempted => None,
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
