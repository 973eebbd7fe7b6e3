//? title: A key in eight bits, and how far off its score can be
//? page: ch08/error.md
//? section: What the rounding costs
//? level: core
//? minutes: 35
//? call: check(write, read, most_off)
//? hint 1: Take a block whose largest number is 12.7, and steps of 0.1. Which integers do 12.7, 0.34 and -0.06 become, and how far off is each when it comes back? Which of the three was rounded worst, and could another number have been worse?
//? hint 2: The scale is the largest absolute value of *its* block, divided by 127, and an integer is the number divided by the scale, rounded to the nearest. So a number comes back off by half a scale at most. In the score each of these errors is multiplied by a number of the query. They add up to the most where each has the sign that its product needs.
//? hint 3: `row.as_chunks::<32>().0` gives the blocks. In each, `let largest = x.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));`, the scale is `largest / 127.0`, and an integer is `(x / scale).round() as i8`. For a block of zeros that's 0 / 0, which is NaN, and `NaN as i8` is 0 in Rust. `most_off` adds up `scale / 2.0 * q.abs()`, for each number of the query with the scale of its block.
//? why: The largest number of a block becomes 127 or -127, so that no step of the byte is wasted; with 128 it would have no
//?   integer on the positive side. Rounding leaves half a step at most, whatever the number was: a small number beside a large
//?   one is off by as much as the large one, which for it can be everything. That's why blocks are short and have scales of
//?   their own. One large number spoils its own block, and not the row. `most_off` is what no score can exceed, and what hardly
//?   any reaches: all 128 errors would have to be half a step, each with the right sign. Errors of random signs mostly cancel,
//?   and the usual difference is nearer to the root of the sum of their squares. A bound is there for the day when they don't.

// Sixteen bits halve the cache. Eight would nearly halve it again, stored as the weights are in Q8_0: in blocks of 32
// numbers, each block with a scale and 32 signed integers of a byte. (The scale of Q8_0 has sixteen bits. Here it's an
// `f32`, so that you needn't round that as well.) Three functions say how that goes, and what it costs:
//
// - `write`: the scale of a block is its largest absolute value, divided by 127. Each integer is chosen so that scale *
//   integer is as near to its number as possible; if two are as near, take either. 32 zeros have the scale 0 and
//   integers of 0.
// - `read`: the row as it comes back.
// - `most_off`: a score is the sum of all q * k, where q is a number of the query and k one of the key. With the key as
//   it comes back from eight bits, it's another sum. By how much can the two differ at most? You have the query and the
//   key's blocks, and nobody remembers the key. Each of its numbers may have been moved as far as rounding can move it,
//   up or down. (The largest one of a block comes back as it was. Treat it like the others.)
//
// The bound is meant in exact arithmetic; yours may be off by a hundred-thousandth of it. The length of a row is a
// multiple of 32, and may be 0. Its numbers are 0, or between 1e-20 and 1e6 in size, with either sign.

/// A scale and 32 integers.
type Block = (f32, [i8; 32]);

// row: [n] -> [n / 32]
pub fn write(row: &[f32]) -> Vec<Block> {
    //-- starter
    // todo!()
    //-- solution
    let block = |x: &[f32; 32]| {
        let largest = x.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
        let scale = largest / 127.0;
        // In a block of zeros 0 / 0 is NaN, which `as i8` makes 0.
        (scale, x.map(|x| (x / scale).round() as i8))
    };
    row.as_chunks().0.iter().map(block).collect()
    //-- end
}

// blocks: [n / 32] -> [n]
pub fn read(blocks: &[Block]) -> Vec<f32> {
    //-- starter
    // todo!()
    //-- solution
    let numbers = |(scale, integers): &Block| integers.map(|i| scale * f32::from(i));
    blocks.iter().flat_map(numbers).collect()
    //-- end
}

// query: [n], key: [n / 32]
pub fn most_off(query: &[f32], key: &[Block]) -> f32 {
    //-- starter
    // todo!()
    //-- solution
    let of_block = |(q, (scale, _)): (&[f32; 32], &Block)| {
        scale / 2.0 * q.iter().map(|q| q.abs()).sum::<f32>()
    };
    query.as_chunks().0.iter().zip(key).map(of_block).sum()
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::{Checked, Failure, Near, Random, call, same_numbers};

    /// A scale and 32 integers.
    type Block = (f32, [i8; 32]);

    /// A row, and what was written.
    struct Written {
        case: String,
        row: Vec<f32>,
        found: Vec<Block>,
    }

    pub fn check(
        write: fn(&[f32]) -> Vec<Block>,
        read: fn(&[Block]) -> Vec<f32>,
        most_off: fn(&[f32], &[Block]) -> f32,
    ) -> Checked {
        let mut all = Vec::new();
        for (name, row) in rows() {
            let case = match row.len() {
                32 => format!("write: {name}: {row:?}"),
                length => format!("write: {name}, {length} numbers"),
            };
            let found = call(&case, || write(&row)).map_err(stopped)?;
            all.push(Written { case, row, found });
        }
        writing(&all)?;
        reading(read)?;
        bounds(most_off)
    }

    fn stopped(failure: Failure) -> Failure {
        let zero =
            ["divide by zero", "either was NaN"].iter().any(|it| failure.found.contains(it));
        if zero {
            failure.likely("it divides by the largest number, and the largest of 32 zeros is 0")
        } else {
            failure
        }
    }

    /// The first ones can be followed with a pencil.
    fn rows() -> Vec<(&'static str, Vec<f32>)> {
        let mut random = Random::new(84);
        let mut block =
            |size: f32| -> Vec<f32> { random.numbers(32).iter().map(|x| x * size).collect() };
        let mut steps: Vec<f32> = (0..32).map(|i| (i as f32 - 16.0) * 0.75 + 0.04).collect();
        steps[3] = 12.7;
        let mut negative = steps.clone();
        negative[30] = -25.4;
        let mut halves: Vec<f32> = (0..32).map(|i| i as f32 - 15.5).collect();
        halves[31] = 127.0;
        let mut rows = vec![
            ("one block", steps),
            ("one block, the largest below 0", negative),
            ("numbers below 0", block(1.0).iter().map(|x| -1.0 - x.abs()).collect()),
            ("halves of a step", halves),
            ("32 zeros", vec![0.0; 32]),
            ("two blocks, the second with larger numbers", [block(0.5), block(100.0)].concat()),
            (
                "two blocks, the second with smaller numbers",
                [block(100.0), block(0.5)].concat(),
            ),
            (
                "four blocks, one of zeros",
                [block(1.0), vec![0.0; 32], block(30.0), block(0.02)].concat(),
            ),
            ("small numbers", [block(1e-5), block(1e-8), block(1e-12)].concat()),
            ("large numbers", block(1e6)),
            ("no numbers", Vec::new()),
        ];
        for _ in 0..8 {
            rows.push(("a key", (0..4).flat_map(|_| block(4.0)).collect()));
        }
        // As keys often are: one column is far larger than the others.
        let mut outlier = block(1.0).repeat(4);
        outlier[77] = 60.0;
        rows.push(("a key with one large number", outlier));
        rows
    }

    /// How a block is written, in parts that a mistake replaces.
    struct Way {
        /// Of a row and the number of a block.
        largest: fn(&[f32], usize) -> f32,
        scale: fn(f32) -> f32,
        /// Of a number, the scale and the block.
        integer: fn(f32, f32, &[f32; 32]) -> i8,
        stored: fn(f32) -> f32,
    }

    const RIGHT: Way = Way {
        largest: |row, block| farthest(&row[32 * block..][..32]),
        scale: |largest| largest / 127.0,
        integer: |x, scale, _| (x / scale).round() as i8,
        stored: |scale| scale,
    };

    fn farthest(x: &[f32]) -> f32 {
        x.iter().fold(0.0, |largest, x| largest.max(x.abs()))
    }

    impl Way {
        fn blocks(&self, row: &[f32]) -> Vec<Block> {
            let block = |(b, x): (usize, &[f32; 32])| {
                let scale = (self.scale)((self.largest)(row, b));
                ((self.stored)(scale), x.map(|number| (self.integer)(number, scale, x)))
            };
            row.as_chunks().0.iter().enumerate().map(block).collect()
        }

        fn wrote(&self, one: &Written) -> bool {
            let blocks = self.blocks(&one.row);
            let same = |(a, b): (&Block, &Block)| near(a.0, b.0) && a.1 == b.1;
            blocks.len() == one.found.len() && blocks.iter().zip(&one.found).all(same)
        }
    }

    fn near(found: f32, expected: f32) -> bool {
        found == expected || (found - expected).abs() <= 1e-6 * expected.abs()
    }

    /// What is wrong with a block: what was expected, what was found, and where.
    fn misfit(x: &[f32; 32], (scale, integers): &Block) -> Option<(String, String, String)> {
        let right = farthest(x) / 127.0;
        if !near(*scale, right) {
            return Some((format!("{right:?}"), format!("{scale:?}"), "the scale".into()));
        }
        let back = |i: usize| f64::from(right) * f64::from(integers[i]);
        let off = |i: usize| (back(i) - f64::from(x[i])).abs();
        let worst = f64::from(right) / 2.0 * 1.0001;
        let i = (0..32).find(|&i| off(i) > worst)?;
        let integer = (x[i] / right).round();
        Some((
            format!("{integer}, or {:?} with the scale {right:?}", integer * right),
            format!("{}, or {:?}", integers[i], back(i) as f32),
            format!("integer {i}, for the number {:?}", x[i]),
        ))
    }

    fn writing(all: &[Written]) -> Checked {
        let Some(failure) = all.iter().find_map(first_misfit) else {
            return Ok(());
        };
        if let Some((reason, _)) =
            ways().iter().find(|(_, way)| all.iter().all(|one| way.wrote(one)))
        {
            return Err(failure.likely(reason));
        }
        let misfits = |largest: fn(f32) -> bool| {
            all.iter().all(|Written { row, found, .. }| {
                let blocks = row.as_chunks::<32>().0;
                blocks.len() == found.len()
                    && blocks
                        .iter()
                        .zip(found)
                        .all(|(x, block)| largest(farthest(x)) || misfit(x, block).is_none())
            })
        };
        Err(if misfits(|largest| largest == 0.0) {
            failure.likely("32 zeros need no step: their scale is 0, and so are their integers")
        } else if misfits(|largest| largest < 1e-4) {
            failure.likely("small numbers have a scale too, as small as they need it")
        } else {
            failure
        })
    }

    fn first_misfit(Written { case, row, found }: &Written) -> Option<Failure> {
        let blocks = row.as_chunks::<32>().0;
        if blocks.len() != found.len() {
            let told = |blocks: usize| format!("{blocks} blocks");
            return Some(Failure::new(case, told(blocks.len()), told(found.len())));
        }
        let wrong = |(b, (x, block))| misfit(x, block).map(|it| (b, it));
        let mut misfits = blocks.iter().zip(found).enumerate().filter_map(wrong);
        let (b, (expected, found, place)) = misfits.next()?;
        Some(Failure::new(case, expected, found).at(format!("block {b}, {place}")))
    }

    fn ways() -> Vec<(&'static str, Way)> {
        vec![
            (
                "divided by 128: the largest number becomes 128 then, and a byte ends at 127",
                Way { scale: |largest| largest / 128.0, ..RIGHT },
            ),
            (
                "divided by 255: a signed byte has 127 steps on each side",
                Way { scale: |largest| largest / 255.0, ..RIGHT },
            ),
            (
                "the integers go from -127 to 127, and here half of them are never used",
                Way { scale: |largest| largest / 63.0, ..RIGHT },
            ),
            (
                "the integers go from -127 to 127, and here half of them are never used",
                Way { scale: |largest| largest / 64.0, ..RIGHT },
            ),
            (
                "this scale is that of the whole row: each block has one of its own",
                Way { largest: |row, _| farthest(row), ..RIGHT },
            ),
            (
                "this scale is that of the first block: each block has one of its own",
                Way { largest: |row, _| farthest(&row[..32]), ..RIGHT },
            ),
            (
                "the largest number decides here: it is the largest absolute value, and that number may be negative",
                Way {
                    largest: |row, block| {
                        row[32 * block..][..32].iter().copied().fold(0.0, f32::max)
                    },
                    ..RIGHT
                },
            ),
            (
                "the fraction is dropped, so that every number moves towards zero: a cast does not round",
                Way { integer: |x, scale, _| (x / scale) as i8, ..RIGHT },
            ),
            (
                "rounded down, which is not always the nearest",
                Way { integer: |x, scale, _| (x / scale).floor() as i8, ..RIGHT },
            ),
            (
                "a negative number became 0: what does a cast to u8 do below 0?",
                Way { integer: |x, scale, _| (x / scale).round() as u8 as i8, ..RIGHT },
            ),
            (
                "something was subtracted from the numbers: each integer has a sign of its own",
                Way {
                    integer: |x, scale, block| {
                        let smallest = block.iter().copied().fold(0.0, f32::min);
                        ((x - smallest) / scale).round() as u8 as i8
                    },
                    ..RIGHT
                },
            ),
            (
                "this is what the numbers are multiplied by: the scale is upside down",
                Way { stored: |scale| 1.0 / scale, ..RIGHT },
            ),
            (
                "this is the largest number: the scale is a 127th of it",
                Way { stored: |scale| scale * 127.0, ..RIGHT },
            ),
        ]
    }

    fn reading(read: impl Fn(&[Block]) -> Vec<f32>) -> Checked {
        let mut random = Random::new(85);
        let mut block = |scale: f32| -> Block {
            (scale, std::array::from_fn(|_| random.below(255) as u8 as i8))
        };
        let small: Block = (0.5, std::array::from_fn(|i| i as i8 - 16));
        let several = vec![block(0.25), block(3.0), (0.0, [0; 32]), block(1e-3)];
        for (case, blocks) in [
            ("read: one block with the scale 0.5 and the integers from -16 to 15", vec![small]),
            ("read: four blocks with the scales 0.25, 3, 0 and 0.001", several),
            ("read: no blocks", Vec::new()),
        ] {
            let found = call(case, || read(&blocks))?;
            let back = |of: &dyn Fn(f32, i8) -> f32| -> Vec<f32> {
                blocks
                    .iter()
                    .flat_map(|(scale, integers)| integers.map(|i| of(*scale, i)))
                    .collect()
            };
            let first = blocks.first().map_or(0.0, |(scale, _)| *scale);
            let expected = back(&|scale, i| scale * f32::from(i));
            let shape = [("block", blocks.len()), ("number", 32)];
            let mistakes = [
                ("this comes from the scale of block 0", back(&|_, i| first * f32::from(i))),
                (
                    "the integers are signed: -1 is not 255",
                    back(&|scale, i| scale * f32::from(i as u8)),
                ),
                (
                    "an integer is multiplied by the scale, not divided by it",
                    back(&|scale, i| f32::from(i) / scale),
                ),
                ("these are the integers themselves", back(&|_, i| f32::from(i))),
                (
                    "a scale is a step already: nothing is divided by 127 any more",
                    back(&|scale, i| scale / 127.0 * f32::from(i)),
                ),
            ];
            same_numbers(case, &shape, Near::Within(1e-6), &expected, &found, &mistakes)?;
        }
        Ok(())
    }

    /// A query, a key, and how far off their score is said to be at most.
    struct Bound {
        case: &'static str,
        query: Vec<f32>,
        key: Vec<Block>,
        found: f32,
    }

    fn bounds(most_off: impl Fn(&[f32], &[Block]) -> f32) -> Checked {
        let mut all = Vec::new();
        for (case, query, key) in questions() {
            let found = call(case, || most_off(&query, &key))?;
            all.push(Bound { case, query, key, found });
        }
        let right: Most = |query, key| sum(query, key, |q, scale| scale / 2.0 * q.abs());
        let is = |one: &Bound, of: Most| {
            let (found, expected) = (f64::from(one.found), of(&one.query, &one.key));
            (found - expected).abs() <= 1e-5 * expected.abs()
        };
        let Some(first) = all.iter().find(|one| !is(one, right)) else {
            return Ok(());
        };
        let failure = Failure::new(first.case, right(&first.query, &first.key), first.found);
        let explains = |of: Most| all.iter().all(|one| is(one, of));
        Err(match mistakes().iter().find(|(_, of)| explains(*of)) {
            Some((reason, _)) => failure.likely(reason),
            None => failure,
        })
    }

    fn questions() -> Vec<(&'static str, Vec<f32>, Vec<Block>)> {
        let mut random = Random::new(86);
        let mut block = |scale: f32| -> Block {
            (scale, std::array::from_fn(|_| random.below(255) as u8 as i8))
        };
        let alternating: Vec<f32> =
            (0..32).map(|i| if i % 2 == 0 { 1.0 } else { -1.0 }).collect();
        let alone: Vec<f32> = (0..32).map(|i| if i == 7 { -3.0 } else { 0.0 }).collect();
        let ones = vec![1.0; 32];
        let mut questions = vec![
            ("most_off: a query of 32 ones, a key with the scale 2", ones, vec![block(2.0)]),
            (
                "most_off: a query of 1, -1, 1, -1 and so on, a key with the scale 2",
                alternating.clone(),
                vec![block(2.0)],
            ),
            (
                "most_off: a query of zeros and a single -3, a key with the scale 0.5",
                alone,
                vec![block(0.5)],
            ),
            (
                "most_off: 32 ones and 32 zeros, a key with the scales 2 and 8",
                [vec![1.0; 32], vec![0.0; 32]].concat(),
                vec![block(2.0), block(8.0)],
            ),
            ("most_off: a key of 32 zeros", alternating, vec![(0.0, [0; 32])]),
            ("most_off: nothing", Vec::new(), Vec::new()),
        ];
        for _ in 0..4 {
            let key = [0.01, 0.5, 0.02, 0.03].map(&mut block).to_vec();
            questions.push(("most_off: a query and a key of 128 numbers", Vec::new(), key));
        }
        let mut random = Random::new(87);
        for (_, query, key) in &mut questions {
            if query.is_empty() {
                *query = random.numbers(32 * key.len());
            }
        }
        questions
    }

    type Most = fn(&[f32], &[Block]) -> f64;

    /// Something of each number of the query and the scale of its block, added up.
    fn sum(query: &[f32], key: &[Block], of: fn(f64, f64) -> f64) -> f64 {
        let scales = key.iter().flat_map(|(scale, _)| [*scale; 32]);
        query.iter().zip(scales).map(|(q, scale)| of(f64::from(*q), f64::from(scale))).sum()
    }

    fn mistakes() -> Vec<(&'static str, Most)> {
        let signs = "the signs of the query are in it: whether a number was rounded up or down is not known";
        let add = "this is the worst number alone: the errors of all numbers add up";
        let own = "each number is off by half a step of its own block: a block of its own, a scale of its own";
        vec![
            (
                "this counts a whole step for each number: rounded to the nearest, it is off by half of that at most",
                |query, key| sum(query, key, |q, scale| scale * q.abs()),
            ),
            (signs, |query, key| sum(query, key, |q, scale| scale / 2.0 * q)),
            (signs, |query, key| sum(query, key, |q, scale| scale / 2.0 * q).abs()),
            (signs, |query, key| {
                let blocks = query.as_chunks::<32>().0.iter().zip(key);
                blocks
                    .map(|(q, block)| sum(q, &[*block], |q, scale| scale / 2.0 * q).abs())
                    .sum()
            }),
            (add, |query, key| {
                let scales = key.iter().flat_map(|(scale, _)| [*scale; 32]);
                let products = query.iter().zip(scales).map(|(q, scale)| scale / 2.0 * q.abs());
                f64::from(products.fold(0.0, f32::max))
            }),
            (
                "a root of squares is the usual difference of errors with random signs, and not the largest",
                |query, key| sum(query, key, |q, scale| (scale / 2.0 * q).powi(2)).sqrt(),
            ),
            (
                "half a step is off in the key: in the score it is multiplied by a number of the query",
                |query, key| sum(query, key, |_, scale| scale / 2.0),
            ),
            (
                "a number is off by half a step however small it is itself: the integers do not matter",
                |query, key| {
                    let numbers = key
                        .iter()
                        .flat_map(|(scale, integers)| integers.map(|i| scale * f32::from(i)));
                    let products = query.iter().zip(numbers);
                    products.map(|(q, k)| f64::from(q * k).abs() / 254.0).sum()
                },
            ),
            (own, |query, key| {
                let scale = key.iter().fold(0.0f32, |largest, (scale, _)| largest.max(*scale));
                f64::from(scale) / 2.0 * query.iter().map(|q| f64::from(q.abs())).sum::<f64>()
            }),
            (own, |query, key| {
                let scale = key.first().map_or(0.0, |(scale, _)| *scale);
                f64::from(scale) / 2.0 * query.iter().map(|q| f64::from(q.abs())).sum::<f64>()
            }),
            (
                "this is the mean over the numbers of a row: the errors of all of them are in the score",
                |query, key| match query.len() {
                    0 => 0.0,
                    length => sum(query, key, |q, scale| scale / 2.0 * q.abs()) / length as f64,
                },
            ),
        ]
    }
}
