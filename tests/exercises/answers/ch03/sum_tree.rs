//? title: Sixteen lanes to one number, in one fixed order
//? page: ch03/lanes.md
//? section: The tree of sums
//? level: warm-up
//? minutes: 10
//? call: check(sum_tree)
//? hint 1: Draw 16 boxes in a row. Cut the row in the middle and slide the right half over the left: which box covers box 0?
//? hint 2: Each fold halves the number of lanes: lane j takes lane j + 8, then j + 4, j + 2, j + 1.
//? hint 3: `for half in [8, 4, 2, 1] { for j in 0..half { lanes[j] += lanes[j + half]; } }`, and lane 0 holds the sum.
//? why: A register of 16 floats splits into two of 8, and one instruction adds them: lane j meets lane j + 8. Hardware of
//?   every width can fold like this, so it is an order that all backends can share.

// Add 16 lanes to one number by folding: lane j and lane j + 8 (for j from 0 to 7), then of these j and j + 4, then j and
// j + 2, then the last two. In each addition the lower lane is on the left.
//
// Floating-point addition rounds, so that another order gives other bits: the check compares bits.

// lanes: [16]
pub fn sum_tree(lanes: [f32; 16]) -> f32 {
    //-- starter
    // todo!()
    //-- solution
    let mut lanes = lanes;
    for half in [8, 4, 2, 1] {
        for j in 0..half {
            lanes[j] += lanes[j + half];
        }
    }
    lanes[0]
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::{Asked, Checked, Random, call, same_everywhere};

    pub fn check(answer: fn([f32; 16]) -> f32) -> Checked {
        let mut random = Random::new(7);
        let mut asked = Vec::new();
        for round in 0..50 {
            // Of very different sizes, so that the order shows; and once all minus zero.
            let mut lanes: [f32; 16] = std::array::from_fn(|_| {
                random.number() * 10f32.powi(random.below(7) as i32 - 3)
            });
            match round {
                46 => lanes = lanes.map(|x| x * 1e-43),
                47 => lanes[5] = f32::NAN,
                48 => lanes[6] = f32::INFINITY,
                49 => lanes = [-0.0; 16],
                _ => {}
            }
            let case = format!("lanes {lanes:?}");
            let found = call(&case, || answer(lanes))?;
            let mut neighbours = lanes.to_vec();
            while neighbours.len() > 1 {
                neighbours = neighbours.chunks(2).map(|pair| pair[0] + pair[1]).collect();
            }
            let exact: f64 = lanes.iter().map(|&x| f64::from(x)).sum();
            let ends = |lanes: &[f32]| -> Vec<f32> {
                let n = lanes.len();
                (0..n / 2).map(|j| lanes[j] + lanes[n - 1 - j]).collect()
            };
            let from_both_ends = ends(&ends(&ends(&ends(&lanes))));
            let four: Vec<f32> = (0..4)
                .map(|j| ((lanes[j] + lanes[j + 4]) + lanes[j + 8]) + lanes[j + 12])
                .collect();
            let in_order = lanes.iter().copied().reduce(|a, b| a + b).unwrap_or_default();
            let mistakes = vec![
                in_order,
                neighbours[0],
                exact as f32,
                fold(&lanes[..8]),
                from_both_ends[0],
                fold(&four),
            ];
            asked.push(Asked { case, expected: fold(&lanes), found, mistakes });
        }
        let reasons = [
            "added one after the other; the order is the fold: j with j + 8, then + 4, + 2, + 1",
            "neighbours were added (0 with 1, 2 with 3); here lane j meets lane j + half",
            "added in f64 and rounded once: more exact, and not the bits of the vector unit",
            "half of the lanes are missing: the first fold is j with j + 8",
            "the paper was folded like a letter, 0 on 15; lane j meets lane j + half",
            "four registers of 4 were added one after the other; the first fold is j with j + 8",
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
}
