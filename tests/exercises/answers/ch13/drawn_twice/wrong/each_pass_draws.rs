//? recognised: in the middle of a prompt
//? why: Draws after each pass. In the middle of a prompt there are no logits to draw from.

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
            (computed > 0).then(|| {
                known += usize::from(computed == known);
                drawn += 1;
                drawn - 1
            })
        }
    };
    log.iter().map(of_one).collect()
}
