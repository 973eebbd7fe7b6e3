use exercise_kit::dot::{Dot, MISTAKES};
use exercise_kit::guarded;
use exercise_kit::{Asked, Checked, Near, Random, call, same_everywhere, same_numbers};

/// How many numbers follow every slice in memory. An answer that reads on meets these and not what the allocator
/// has left there, so it is told the same on every machine.
const AFTER: usize = 32;

pub fn check(answer: impl Fn(&[f32], &[f32]) -> f32) -> Checked {
    let mut asked = Vec::new();
    for length in (0..=129).chain([1023]) {
        let mut random = Random::new(10 + length as u64);
        let x = random.numbers(length + 3 + AFTER);
        let w = random.numbers(length + 3 + AFTER);
        // Slices that begin at every address of four in turn.
        for start in 0..4 {
            let case = format!("{length} numbers, from index {start} of a larger array");
            let (x, w) = (&x[start..][..length], &w[3 - start..][..length]);
            let found = call(&case, || answer(x, w))?;
            let mistakes = MISTAKES.map(|(_, dot)| dot.of(x, w)).to_vec();
            asked.push(Asked { case, expected: Dot::RIGHT.of(x, w), found, mistakes });
        }
    }
    // Infinity times 0 is NaN, in a whole block and in the tail.
    for place in [3, 35] {
        let (mut x, mut w) = (vec![1.0; 40 + AFTER], vec![0.5; 40 + AFTER]);
        (x[place], w[place]) = (f32::INFINITY, 0.0);
        let (x, w) = (&x[..40], &w[..40]);
        let case = format!("40 numbers, infinity times 0 at index {place}");
        let found = call(&case, || answer(x, w))?;
        let mistakes = MISTAKES.map(|(_, dot)| dot.of(x, w)).to_vec();
        asked.push(Asked { case, expected: Dot::RIGHT.of(x, w), found, mistakes });
    }
    let (x, w) = ([1e-40; 20], [1.0; 20]);
    let case = "20 times 1e-40".to_string();
    let found = call(&case, || answer(&x, &w))?;
    let mistakes = MISTAKES.map(|(_, dot)| dot.of(&x, &w)).to_vec();
    asked.push(Asked { case, expected: Dot::RIGHT.of(&x, &w), found, mistakes });
    same_everywhere(&asked, &MISTAKES.map(|(reason, _)| reason))?;
    for length in 0..=48 {
        let case = format!("{length} numbers, and NaN after them in memory");
        let mut random = Random::new(11);
        let and_nan = |numbers: Vec<f32>| [numbers, vec![f32::NAN; AFTER]].concat();
        let (x, w) = (and_nan(random.numbers(length)), and_nan(random.numbers(length)));
        let (x, w) = (&x[..length], &w[..length]);
        let found = call(&case, || answer(x, w))?;
        let reason =
            "the slice ends, and what comes after it was read: the tail has to be padded";
        let right = Dot::RIGHT.of(x, w);
        same_numbers(&case, &[], Near::Bits, &[right], &[found], &[(reason, vec![f32::NAN])])?;
    }
    // What is read there and not used does not show in the result. So these slices end where the memory ends.
    for length in 0..=48 {
        let case = format!("{length} numbers, and no memory after them");
        let x = Random::new(12).numbers(length);
        let found = guarded::at_the_end(&x, |x| call(&case, || answer(x, x)))?;
        let right = Dot::RIGHT.of(&x, &x);
        same_numbers(&case, &[], Near::Bits, &[right], &[found], &[])?;
    }
    Ok(())
}
