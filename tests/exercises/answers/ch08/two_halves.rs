//? title: Two halves of the past become one
//? page: ch08/shares.md
//? section: One query on all threads
//? level: deep
//? minutes: 30
//? call: check(join)
//? hint 1: Write down two halves of one key each, with the scores 1 and 3, and then the part that both keys together make. Every weight is relative to a largest score. Which of your six numbers were relative to the wrong one, and by which factor are they off?
//? hint 2: A half whose largest score is `old` has weights exp(score - old), and joined they should be exp(score - new). One factor, exp(old - new), corrects a half: its sum and every number of its mixture. Each half has a factor of its own, and since `new` is the larger of the two scores, one of the factors is exp(0). Now put in minus infinity for one half, and then for both. Which of the differences is no number?
//? hint 3: `let largest = a.0.max(b.0);`, and where that is minus infinity, neither half has a key: return one of them. Otherwise `let for_a = (a.0 - largest).exp();` and the same for b. The sum is `a.1 * for_a + b.1 * for_b`, and so is each number of the mixture. For a half without keys the factor is exp(-inf) = 0.
//? why: Sums don't care which half a term was in, as long as all terms are relative to one score. So each half is moved over to
//?   the larger of the two largest scores, by a factor of its own that is at most 1 and can't overflow. A half without keys has
//?   minus infinity there, and its factor is exp(-inf) = 0. Only where both are empty is the difference NaN, and then there's
//?   nothing to move. The division waits: what has been divided can't be added to, unless it is multiplied by its sum again.
//?   The result is a part like the two that went in, so any number of them can be joined, in any order. But an `f32` rounds each
//?   sum, and another cut or another order rounds at other places. An engine that cuts the past by its number of threads gives
//?   other bits with three of them than with two.

// The past is long, and two threads want to read it, each one half. That leaves two mixtures, one over the keys of the
// first half and one over the rest, and somebody has to make them one. (The engine of this chapter doesn't: its last
// bits would depend on where the past was cut. Others do and call it *flash decoding*, and the joining is the whole
// trick.)
//
// What a thread knows of its keys is a `Part`:
//
// - the largest of their scores, or minus infinity if there are no keys;
// - the sum of their weights. A weight is exp(score - largest), and without keys the sum is 0;
// - the mixture: for each column the sum of weight * value. It hasn't been divided by anything. Without keys it's all
//   0.
//
// Return the part of all keys together: its largest score, its sum and its mixture have to be what they'd be if one
// thread had read everything. Sum and mixture may be off by a hundred-thousandth of the sum, since an `f32` rounds.
// Your result may be a half of another join.
//
// Both halves have the same number of columns, any number. They needn't have as many keys, and one of them may have
// none, or both. Scores are finite, from -3e38 to 3e38, and nothing may become infinite or NaN on the way to the
// result.

/// The largest score, the sum of the weights, and the mixture.
type Part = (f32, f32, Vec<f32>);

pub fn join(a: &Part, b: &Part) -> Part {
    //-- starter
    // todo!()
    //-- solution
    let largest = a.0.max(b.0);
    if largest == f32::NEG_INFINITY {
        return a.clone();
    }
    let (for_a, for_b) = ((a.0 - largest).exp(), (b.0 - largest).exp());
    let mixture = a.2.iter().zip(&b.2).map(|(a, b)| a * for_a + b * for_b);
    (largest, a.1 * for_a + b.1 * for_b, mixture.collect())
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::explained::ask_each;
    use exercise_kit::{Checked, Random};

    /// The largest score, the sum of the weights, and the mixture.
    type Part = (f32, f32, Vec<f32>);

    /// A score and its values.
    type Key = (f32, Vec<f32>);

    /// Two halves, what they are together, and what is likely if this is the first that goes wrong.
    struct Given {
        a: Part,
        b: Part,
        joined: Part,
        likely: &'static str,
    }

    /// Parts that are equal up to a hundred-thousandth of the sum.
    struct Near(Part);

    impl PartialEq for Near {
        fn eq(&self, Near((largest, sum, mixture)): &Near) -> bool {
            let size = sum.max(1.0);
            let near = |a: f32, b: f32| (a - b).abs() <= 1e-5 * size.max(b.abs());
            self.0.0 == *largest
                && near(self.0.1, *sum)
                && self.0.2.len() == mixture.len()
                && self.0.2.iter().zip(mixture).all(|(a, b)| near(*a, *b))
        }
    }

    pub fn check(join: fn(&Part, &Part) -> Part) -> Checked {
        let case = |given: &Given| format!("{} and {}", told(&given.a), told(&given.b));
        let answer = |given: &Given| Near(join(&given.a, &given.b));
        let right = |given: &Given| Near(given.joined.clone());
        let likely = |given: &Given, Near(right): &Near, found: Option<&Near>| match found {
            Some(Near(found)) if found.0 < right.0 && given.likely == SECOND => {
                "everything is relative to the second half's score, and that may be the smaller one: exp of what is far above it is infinite"
            }
            _ => given.likely,
        };
        ask_each(given(), case, answer, right, likely, |expected, found| {
            (told(&expected.0), told(&found.0))
        })
    }

    const SECOND: &str = "the second half is never moved: the larger score may be in the first";

    fn given() -> Vec<Given> {
        let mut random = Random::new(82);
        let mut all = Vec::new();
        for (likely, columns, halves) in cases() {
            // Quarters, which can be followed by hand.
            let mut key = |score: &f32| {
                let value = |_| (random.below(17) as f32 - 8.0) / 4.0;
                (*score, (0..columns).map(value).collect())
            };
            let halves: Vec<Vec<Key>> =
                halves.iter().map(|scores| scores.iter().map(&mut key).collect()).collect();
            for count in 1..halves.len() {
                let (before, both) = (halves[..count].concat(), halves[..=count].concat());
                let [a, b, joined] =
                    [&before, &halves[count], &both].map(|keys| read(keys, columns));
                all.push(Given { a, b, joined, likely });
            }
        }
        all
    }

    /// In each, one thing more can go wrong.
    fn cases() -> Vec<(&'static str, usize, Vec<Vec<f32>>)> {
        let mut random = Random::new(83);
        let counts = [1, 64, 7, 0, 33, 2, 300, 0, 0, 12, 1];
        let many = [5.0, 300.0, 3e38].map(|scale| {
            let scores =
                |count: usize| random.numbers(count).iter().map(|x| x * scale).collect();
            ("", 3, counts.map(scores).to_vec())
        });
        let of = |likely, columns, halves: &[&[f32]]| {
            (likely, columns, halves.iter().map(|scores| scores.to_vec()).collect())
        };
        let mut all = vec![
            of(
                "each half counts as one: the one with larger weights has to count for more",
                0,
                &[&[1.0], &[1.0]],
            ),
            of(
                "nothing is divided here: the next join could not add to it",
                3,
                &[&[1.0], &[1.0, 0.5]],
            ),
            of("", 3, &[&[1.0], &[3.0]]),
            of(SECOND, 3, &[&[3.0], &[1.0]]),
            of(
                "neither half has a key, and minus infinity minus itself is NaN",
                3,
                &[&[], &[]],
            ),
            of(
                "only minus infinity says that there are no keys: scores go down to -3e38",
                3,
                &[&[-3e38], &[-3e38, -3e38]],
            ),
            of("", 3, &[&[], &[1.0, 2.0], &[]]),
            of("", 3, &[&[0.0, -1.0], &[300.0, 299.0], &[1.0, -2.0]]),
            of("", 3, &[&[-3e38], &[3e38, 1.0], &[0.0; 3000], &[3e38]]),
        ];
        all.extend(many);
        all.extend([1, 5, 300].map(|columns| of("", columns, &[&[1.0, 2.0], &[1.5, 2.5]])));
        all
    }

    fn told((largest, sum, mixture): &Part) -> String {
        let (shown, columns) = (&mixture[..mixture.len().min(5)], mixture.len());
        format!("(largest {largest:?}, sum {sum:?}, mixture {shown:?} of {columns} columns)")
    }

    /// As if one thread had read all the keys, in f64.
    fn read(keys: &[Key], columns: usize) -> Part {
        let largest =
            keys.iter().fold(f32::NEG_INFINITY, |largest, (score, _)| largest.max(*score));
        let (mut sum, mut mixture) = (0.0, vec![0.0; columns]);
        for (score, value) in keys {
            let weight = (f64::from(*score) - f64::from(largest)).exp();
            sum += weight;
            for (mixed, value) in mixture.iter_mut().zip(value) {
                *mixed += weight * f64::from(*value);
            }
        }
        (largest, sum as f32, mixture.iter().map(|mixed| *mixed as f32).collect())
    }
}
