//? recognised: has written are known
//? why: Forgets with the rows also the tokens that were written. The client has read them.

use exercise_kit::schedule::Happened;

pub fn draws(prompt: usize, log: &[Happened]) -> Vec<Option<usize>> {
    let (mut known, mut computed, mut drawn) = (prompt, 0, 0);
    let of_one = |happened: &Happened| match *happened {
        Happened::Preempted => {
            (computed, known) = (0, prompt);
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
