use exercise_kit::{Asked, Checked, Random, call, same_everywhere};

pub fn check(answer: impl Fn([f32; 16]) -> f32) -> Checked {
    let mut random = Random::new(7);
    let mut asked = Vec::new();
    for _ in 0..50 {
        // Of very different sizes, so that the order shows.
        let lanes: [f32; 16] =
            std::array::from_fn(|_| random.number() * 10f32.powi(random.below(7) as i32 - 3));
        let case = format!("lanes {lanes:?}");
        let found = call(&case, || answer(lanes))?;
        let mut neighbours = lanes.to_vec();
        while neighbours.len() > 1 {
            neighbours = neighbours.chunks(2).map(|pair| pair[0] + pair[1]).collect();
        }
        let exact: f64 = lanes.iter().map(|&x| f64::from(x)).sum();
        let mistakes = vec![lanes.iter().sum(), neighbours[0], exact as f32, fold(&lanes[..8])];
        asked.push(Asked { case, expected: fold(&lanes), found, mistakes });
    }
    let reasons = [
        "added one after the other; the order is the fold: j with j + 8, then + 4, + 2, + 1",
        "neighbours were added (0 with 1, 2 with 3); here lane j meets lane j + half",
        "added in f64 and rounded once: more exact, and not the bits of the vector unit",
        "half of the lanes are missing: the first fold is j with j + 8",
    ];
    same_everywhere(&asked, &reasons)
}

fn fold(lanes: &[f32]) -> f32 {
    let half = lanes.len() / 2;
    if half == 0 {
        return lanes[0];
    }
    let folded: Vec<f32> = (0..half).map(|j| lanes[j] + lanes[j + half]).collect();
    fold(&folded)
}
