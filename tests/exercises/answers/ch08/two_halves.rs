//? title: Two halves of the past become one
//? page: ch08/shares.md
//? section: Everyone reads
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
    use exercise_kit::{Checked, Failure, Random, call};

    /// The largest score, the sum of the weights, and the mixture.
    type Part = (f32, f32, Vec<f32>);

    type Join = fn(&Part, &Part) -> Part;

    /// What is known of some keys, and the keys: a score and a value each.
    #[derive(Clone)]
    struct Half {
        part: Part,
        keys: Vec<(f32, Vec<f32>)>,
    }

    /// One question, and what came of it.
    struct Joined {
        case: String,
        a: Part,
        b: Part,
        expected: Part,
        found: Part,
    }

    struct Case {
        name: &'static str,
        columns: usize,
        /// By this the values of the first half are multiplied.
        first: f32,
        halves: Vec<Vec<f32>>,
    }

    pub fn check(join: fn(&Part, &Part) -> Part) -> Checked {
        let mut random = Random::new(82);
        let mut all = Vec::new();
        for Case { name, columns, first, halves } in cases() {
            // Quarters, which can be followed by hand.
            let mut value = |factor: f32| -> Vec<f32> {
                (0..columns).map(|_| factor * (random.below(17) as f32 - 8.0) / 4.0).collect()
            };
            let mut half = |(i, scores): (usize, &Vec<f32>)| {
                let factor = if i == 0 { first } else { 1.0 };
                let keys: Vec<_> = scores.iter().map(|score| (*score, value(factor))).collect();
                Half { part: read(&keys, columns), keys }
            };
            let halves: Vec<Half> = halves.iter().enumerate().map(&mut half).collect();
            let mut one = |a: &Half, b: &Half| -> Result<Half, Failure> {
                let case = format!("{name}: {} and {}", told(&a.part), told(&b.part));
                let found = call(&case, || join(&a.part, &b.part))?;
                let keys = [&a.keys[..], &b.keys].concat();
                all.push(Joined {
                    case,
                    a: a.part.clone(),
                    b: b.part.clone(),
                    expected: read(&keys, columns),
                    found: found.clone(),
                });
                Ok(Half { part: found, keys })
            };
            let mut so_far = halves[0].clone();
            for half in &halves[1..] {
                so_far = one(&so_far, half)?;
            }
            // And the same with neighbours first.
            let mut row = if halves.len() > 2 { halves } else { Vec::new() };
            while row.len() > 1 {
                let pairs = row.chunks(2).map(|pair| match pair {
                    [a, b] => one(a, b),
                    _ => Ok(pair[0].clone()),
                });
                row = pairs.collect::<Result<_, _>>()?;
            }
        }
        compare(&all)
    }

    fn cases() -> Vec<Case> {
        let of = |name, halves: &[&[f32]]| Case {
            name,
            columns: 3,
            first: 1.0,
            halves: halves.iter().map(|scores| scores.to_vec()).collect(),
        };
        let mut random = Random::new(83);
        let mut spread = |keys: usize| -> Vec<f32> {
            random.numbers(keys).iter().map(|x| x * 5.0).collect()
        };
        let lengths = [1, 64, 7, 0, 33, 2, 64, 0, 0, 12, 1];
        let many: Vec<Vec<f32>> = lengths.map(&mut spread).to_vec();
        let mut all = vec![
            of("one key each, with equal scores", &[&[1.0], &[1.0]]),
            of("the larger score in the second half", &[&[1.0], &[3.0]]),
            of("the larger score in the first half", &[&[3.0], &[1.0]]),
            of("three keys and two", &[&[2.0, 1.0, -1.0], &[0.5, 1.5]]),
            of("two keys and three", &[&[-0.5, 1.5], &[0.5, 2.5, 2.0]]),
            of("one key and seven", &[&[1.0], &[0.5; 7]]),
            of("a largest score of 0", &[&[0.0, -1.0], &[-2.0, -0.5]]),
            of("a largest score of 0 in the second half", &[&[-0.5, -1.0], &[-2.0, 0.0]]),
            of("scores below 0", &[&[-3.0, -4.0], &[1.0, -1.0]]),
            of("scores around 100", &[&[100.0, 99.0], &[101.0, 98.0]]),
            of("scores around -200", &[&[-200.0, -199.0], &[-201.0]]),
            of("a second half far above the first", &[&[0.0, 1.0], &[300.0, 299.0]]),
            of("a second half far below the first", &[&[300.0, 299.0], &[0.0, 1.0]]),
            of("the ends of f32", &[&[-3e38, -3e38], &[3e38, 1.0]]),
            of("the ends of f32, the upper one first", &[&[3e38, 1.0], &[-3e38]]),
            of("no keys in the first half", &[&[], &[1.0, 2.0]]),
            of("no keys in the second half", &[&[1.0, 2.0], &[]]),
            of("no keys at all", &[&[], &[]]),
            of("no keys in two of three", &[&[], &[], &[1.0, 2.0]]),
            of("three parts, the largest score first", &[&[3.0, 1.0], &[2.0], &[1.0, 2.5]]),
            of("three parts, the largest score in the middle", &[&[1.0], &[4.0, 2.0], &[3.0]]),
            of("3000 keys with a score of 0, and one with 12", &[&[0.0; 3000], &[12.0]]),
            of("one key with a score of 12, and 3000 with 0", &[&[12.0], &[0.0; 3000]]),
            of("20000 keys with a score of 0, and one with 16", &[&[0.0; 20_000], &[16.0]]),
            Case { halves: many, ..of("eleven parts, scores from -5 to 5", &[]) },
            Case { first: 0.0, ..of("values of 0 in the first half", &[&[1.0, 2.0], &[1.5]]) },
        ];
        for columns in [1, 2, 5, 64] {
            all.push(Case { columns, ..of("another width", &[&[1.0, 2.0], &[1.5, 2.5]]) });
        }
        all
    }

    fn told((largest, sum, mixture): &Part) -> String {
        match mixture.len() {
            0..6 => format!("(largest {largest:?}, sum {sum:?}, mixture {mixture:?})"),
            columns => {
                format!("(largest {largest:?}, sum {sum:?}, mixture of {columns} columns)")
            }
        }
    }

    /// As if one thread had read all the keys, in f64.
    fn read(keys: &[(f32, Vec<f32>)], columns: usize) -> Part {
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

    /// What an f32 rounds is little beside the sum of the weights.
    fn near(found: f32, expected: f32, sum: f32) -> bool {
        let sizes = [sum, expected.abs()].into_iter().filter(|size| size.is_finite());
        let size = sizes.fold(1.0, f32::max);
        found == expected
            || (found.is_nan() && expected.is_nan())
            || (found - expected).abs() <= 1e-5 * size
    }

    fn same(found: &Part, expected: &Part) -> bool {
        let sum = expected.1;
        let mixtures = || found.2.iter().zip(&expected.2);
        (found.0 == expected.0 || (found.0.is_nan() && expected.0.is_nan()))
            && near(found.1, sum, sum)
            && found.2.len() == expected.2.len()
            && mixtures().all(|(found, expected)| near(*found, *expected, sum))
    }

    fn compare(all: &[Joined]) -> Checked {
        let Some(first) = all.iter().find(|one| !same(&one.found, &one.expected)) else {
            return Ok(());
        };
        let Joined { case, expected, found, .. } = first;
        let number = |place: &str, expected: f32, found: f32| {
            Failure::new(case, expected, found).at(place)
        };
        let column = (0..expected.2.len().min(found.2.len()))
            .find(|i| !near(found.2[*i], expected.2[*i], expected.1));
        let failure = if found.0 != expected.0 {
            number("the largest score", expected.0, found.0)
        } else if !near(found.1, expected.1, expected.1) {
            number("the sum of the weights", expected.1, found.1)
        } else if let Some(i) = column {
            number(&format!("the mixture, column {i}"), expected.2[i], found.2[i])
        } else {
            let columns = |part: &Part| format!("{} columns", part.2.len());
            Failure::new(case, columns(expected), columns(found)).at("the mixture")
        };
        // A mistake is right here and there, so it is named when it gives everything that was found. It may have looked for
        // halves without keys before.
        let explains = |way: Join| {
            let as_it_is = |one: &Joined| way(&one.a, &one.b);
            let with_a_look = |one: &Joined| match (one.a.1, one.b.1) {
                (0.0, _) => one.b.clone(),
                (_, 0.0) => one.a.clone(),
                _ => way(&one.a, &one.b),
            };
            all.iter().all(|one| same(&one.found, &as_it_is(one)))
                || all.iter().all(|one| same(&one.found, &with_a_look(one)))
        };
        if let Some((reason, _)) = mistakes().iter().find(|(_, way)| explains(*way)) {
            return Err(failure.likely(reason));
        }
        let right_or_alone = |Joined { a, b, found, .. }: &Joined| {
            same(found, &right(a, b)) || same(found, if a.0 > b.0 { a } else { b })
        };
        Err(match all.iter().all(right_or_alone) {
        true => failure.likely(
            "a half whose scores are far below the other's is left out: each weight is small, and all of them are not",
        ),
        false => failure,
    })
    }

    fn each(a: &Part, b: &Part, of: impl Fn(f32, f32) -> f32) -> Vec<f32> {
        a.2.iter().zip(&b.2).map(|(a, b)| of(*a, *b)).collect()
    }

    /// Both halves, each multiplied by a factor of its own.
    fn moved(a: &Part, b: &Part, largest: f32, (for_a, for_b): (f32, f32)) -> Part {
        let mixture = each(a, b, |a, b| a * for_a + b * for_b);
        (largest, a.1 * for_a + b.1 * for_b, mixture)
    }

    fn to(a: &Part, b: &Part, score: f32) -> (f32, f32) {
        ((a.0 - score).exp(), (b.0 - score).exp())
    }

    fn largest(a: &Part, b: &Part) -> f32 {
        a.0.max(b.0)
    }

    fn without_a_look(a: &Part, b: &Part) -> Part {
        moved(a, b, largest(a, b), to(a, b, largest(a, b)))
    }

    fn right(a: &Part, b: &Part) -> Part {
        if largest(a, b) == f32::NEG_INFINITY { a.clone() } else { without_a_look(a, b) }
    }

    const MEAN: &str =
        "each half counts as one: the one with larger weights has to count for more";
    const EMPTY: &str = "of a half without keys and another one, the other one is the result";

    fn mistakes() -> Vec<(&'static str, Join)> {
        vec![
            ("neither half has a key, and minus infinity minus itself is NaN", without_a_look),
            (MEAN, |a, b| (largest(a, b), 1.0, each(a, b, |x, y| (x / a.1 + y / b.1) / 2.0))),
            (MEAN, |a, b| (largest(a, b), 2.0, each(a, b, |x, y| x / a.1 + y / b.1))),
            (
                "the weights of one half are still relative to another score than those of the other half",
                |a, b| moved(a, b, largest(a, b), (1.0, 1.0)),
            ),
            ("the second half is never moved: the larger score may be in the first", |a, b| {
                moved(a, b, largest(a, b), (to(a, b, largest(a, b)).0, 1.0))
            }),
            ("the second half is never moved: the larger score may be in the first", |a, b| {
                match largest(a, b) {
                    f32::NEG_INFINITY => a.clone(),
                    largest => moved(a, b, largest, (to(a, b, largest).0, 1.0)),
                }
            }),
            ("the first half is never moved: the larger score may be in the second", |a, b| {
                moved(a, b, largest(a, b), (1.0, to(a, b, largest(a, b)).1))
            }),
            ("the first half is never moved: the larger score may be in the second", |a, b| {
                match largest(a, b) {
                    f32::NEG_INFINITY => a.clone(),
                    largest => moved(a, b, largest, (1.0, to(a, b, largest).1)),
                }
            }),
            (
                "the mixture fits, and the sum is still of weights relative to two scores",
                |a, b| {
                    let right = right(a, b);
                    (right.0, a.1 + b.1, right.2)
                },
            ),
            (
                "the sum fits, and the mixture is still of weights relative to two scores",
                |a, b| {
                    let right = right(a, b);
                    (right.0, right.1, each(a, b, |a, b| a + b))
                },
            ),
            ("what was smaller has grown: the difference is upside down", |a, b| {
                let largest = largest(a, b);
                moved(a, b, largest, ((largest - a.0).exp(), (largest - b.0).exp()))
            }),
            (
                "everything is relative to the second half's score, and that may be the smaller one: exp of what is far above it is infinite",
                |a, b| moved(a, b, b.0, ((a.0 - b.0).exp(), 1.0)),
            ),
            (
                "everything is relative to the first half's score, and that may be the smaller one: exp of what is far above it is infinite",
                |a, b| moved(a, b, a.0, (1.0, (b.0 - a.0).exp())),
            ),
            ("everything is relative to 0: exp overflows with a score of 100", |a, b| {
                moved(a, b, 0.0, to(a, b, 0.0))
            }),
            (
                "this is the smaller of the two scores: relative to it, weights may be infinite",
                |a, b| moved(a, b, a.0.min(b.0), to(a, b, a.0.min(b.0))),
            ),
            (
                "the largest score is one of the two and not 0, however far below it is",
                |a, b| {
                    let largest = largest(a, b).max(0.0);
                    moved(a, b, largest, to(a, b, largest))
                },
            ),
            ("a score is compared with its sign: -3 is less than 1", |a, b| {
                let score = if a.0.abs() > b.0.abs() { a.0 } else { b.0 };
                moved(a, b, score, to(a, b, score))
            }),
            (
                "the score that is returned is that of the first half, not the largest",
                |a, b| {
                    let right = right(a, b);
                    (a.0, right.1, right.2)
                },
            ),
            (
                "the score that is returned is that of the second half, not the largest",
                |a, b| {
                    let right = right(a, b);
                    (b.0, right.1, right.2)
                },
            ),
            ("this is one half, and the other half has keys too", |a, b| {
                if a.0 > b.0 { a.clone() } else { b.clone() }
            }),
            ("the halves are weighed by their scores, as if each had one key", |a, b| {
                let (for_a, for_b) = to(a, b, largest(a, b));
                let mixture = each(a, b, |x, y| x / a.1 * for_a + y / b.1 * for_b);
                (largest(a, b), for_a + for_b, mixture)
            }),
            ("nothing is divided here: the next join could not add to it", |a, b| {
                let right = right(a, b);
                let results = if right.1 == 0.0 {
                    right.2
                } else {
                    right.2.iter().map(|mixed| mixed / right.1).collect()
                };
                (right.0, right.1, results)
            }),
            ("a mixture has not been divided: its sum is in it already", |a, b| {
                let right = right(a, b);
                let (for_a, for_b) = to(a, b, right.0);
                let mixture = each(a, b, |x, y| x * a.1 * for_a + y * b.1 * for_b);
                (right.0, right.1, if right.1 == 0.0 { right.2 } else { mixture })
            }),
            ("the weights are powers of e, and so is the factor", |a, b| {
                let largest = largest(a, b);
                match largest {
                    f32::NEG_INFINITY => a.clone(),
                    _ => moved(a, b, largest, ((a.0 - largest).exp2(), (b.0 - largest).exp2())),
                }
            }),
            (EMPTY, |a, b| if a.1 == 0.0 || b.1 == 0.0 { a.clone() } else { right(a, b) }),
            (EMPTY, |a, b| if a.1 == 0.0 || b.1 == 0.0 { b.clone() } else { right(a, b) }),
            ("the largest score of a half with keys may well be 0", |a, b| match (a.0, b.0) {
                (0.0, _) => b.clone(),
                (_, 0.0) => a.clone(),
                _ => right(a, b),
            }),
            ("a half whose values are all 0 has keys, and its weights count", |a, b| {
                let zeros = |part: &Part| part.2.iter().all(|x| *x == 0.0);
                match (zeros(a), zeros(b)) {
                    (true, _) => b.clone(),
                    (_, true) => a.clone(),
                    _ => right(a, b),
                }
            }),
            ("a mixture has any number of columns", |a, b| {
                let (largest, sum, mixture) = right(a, b);
                (largest, sum, mixture.into_iter().take(3).collect())
            }),
        ]
    }
}
