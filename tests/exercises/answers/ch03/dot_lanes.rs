//? title: A dot product with one shape for every CPU
//? page: ch03/lanes.md
//? section: The tree of sums
//? level: core
//? minutes: 30
//? call: check(dot)
//? hint 1: Which lane does element k go to? Look at what one load of 16 numbers puts where.
//? hint 2: Element k goes to lane k % 16, in order of k, by `mul_add`. The tail goes to lanes like everything else; the lanes that it does not reach get a product of two zeros.
//? hint 3: Loop over `x.chunks(16).zip(w.chunks(16))`; for lane j take the j-th number or 0.0: `lanes[j] = a.mul_add(b, lanes[j])`. Then the fold of `sum_tree`.
//? why: The tail goes through the same instructions as everything else. The padded 0 * 0 changes a lane in one case only: a
//?   tiny negative product can make a lane -0.0, and adding 0.0 to it gives 0.0. So the padding is part of the definition. The fused multiply-add rounds once where `a * b + c` rounds twice. A CPU without that
//?   instruction computes the same bits more slowly.

// The sum of x[k] * w[k] in the fixed shape of this course:
//
// - 16 lanes, all 0.0 at first. Lane j takes x[16 i + j] * w[16 i + j] for i = 0, 1, 2, ... in this order, each
//   by one fused multiply-add: `x.mul_add(w, lane)`.
// - If the length is no multiple of 16, the last block is padded with zeros in both: the missing products are 0 * 0.
// - The 16 lanes are folded: j with j + 8, then j + 4, j + 2, j + 1.
//
// The check compares bits, for all lengths from 0 to 129.

// x: [n], w: [n]
pub fn dot(x: &[f32], w: &[f32]) -> f32 {
    //-- starter
    // todo!()
    //-- solution
    let mut lanes = [0.0f32; 16];
    for (x, w) in x.chunks(16).zip(w.chunks(16)) {
        for (j, lane) in lanes.iter_mut().enumerate() {
            let (a, b) = if j < x.len() { (x[j], w[j]) } else { (0.0, 0.0) };
            *lane = a.mul_add(b, *lane);
        }
    }
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
    use exercise_kit::dot::{Dot, MISTAKES};
    use exercise_kit::{Asked, Checked, Near, Random, call, same_everywhere, same_numbers};

    pub fn check(answer: fn(&[f32], &[f32]) -> f32) -> Checked {
        let mut cases = Vec::new();
        for length in (0..=129).chain([70_001]) {
            let mut random = Random::new(8 + length as u64);
            let (x, w) = (random.numbers(length), random.numbers(length));
            cases.push((format!("{length} numbers"), x, w));
        }
        // Sizes that cancel, and what is not a number at all.
        let mut random = Random::new(9);
        let x: Vec<f32> = (0..70)
            .map(|_| random.number() * 10f32.powi(random.below(13) as i32 - 6))
            .collect();
        let w = random.numbers(70);
        cases.push(("70 numbers of very different sizes".to_string(), x.clone(), w.clone()));
        for value in [f32::INFINITY, f32::NAN, f32::MIN_POSITIVE / 8.0] {
            let (mut x, mut w) = (x.clone(), w.clone());
            (x[33], w[33]) = (value, 1.0);
            cases.push((format!("70 numbers, one of them {value:?}"), x, w));
        }
        let (mut infinite, mut zero) = (x.clone(), w.clone());
        (infinite[20], zero[20]) = (f32::INFINITY, 0.0);
        cases.push(("70 numbers, and infinity times 0".to_string(), infinite, zero));
        cases.push(("20 times 1e-40".to_string(), vec![1e-40; 20], vec![1.0; 20]));

        let mut asked = Vec::new();
        for (case, x, w) in cases {
            let found = call(&case, || answer(&x, &w))?;
            let mistakes = MISTAKES.map(|(_, dot)| dot.of(&x, &w)).to_vec();
            asked.push(Asked { case, expected: Dot::RIGHT.of(&x, &w), found, mistakes });
        }
        same_everywhere(&asked, &MISTAKES.map(|(reason, _)| reason))?;

        // Each product rounds to -0.0. Lane 0 gets two of them, and the other lanes get one and a padded 0 * 0.
        let case = "17 negative products that are too small for an f32";
        let found = call(case, || answer(&[-1e-30; 17], &[1e-30; 17]))?;
        let reason =
            "the lanes beyond the tail are left alone; 0 * 0 turns a lane of -0.0 into 0.0";
        same_numbers(case, &[], Near::Bits, &[0.0], &[found], &[(reason, vec![-0.0])])?;

        // The second product of lane 0 is a very little more than half of the last place of 1.0. An f64 loses the little.
        let case =
            "17 numbers; lane 0 gets 1.0 and then half of its last place and a little more";
        let (mut x, mut w) = ([0.0; 17], [0.0; 17]);
        (x[0], w[0]) = (1.0, 1.0);
        (x[16], w[16]) = (8_392_705.0 / 8_388_608.0, 16_769_026.0 * 2f32.powi(-48));
        let found = call(case, || answer(&x, &w))?;
        let reason = "rounded to an f64 on the way: mul_add rounds once, straight to f32";
        let right = Dot::RIGHT.of(&x, &w);
        same_numbers(case, &[], Near::Bits, &[right], &[found], &[(reason, vec![1.0])])
    }
}
