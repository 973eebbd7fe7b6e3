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
    use exercise_kit::explained::{Mistake, ask_all};
    use exercise_kit::{Checked, Near, Random, call, same_numbers};

    /// A scale and 32 integers.
    type Block = (f32, [i8; 32]);

    /// A row and its blocks. Where two integers are as near to a number, either will do.
    struct Written(Vec<f32>, Vec<Block>);

    impl PartialEq for Written {
        fn eq(&self, Written(row, blocks): &Written) -> bool {
            let same = |(x, (a, b)): (&[f32; 32], (&Block, &Block))| {
                (a.0 - b.0).abs() <= 1e-6 * b.0.abs()
                    && x.iter().zip(a.1.iter().zip(b.1)).all(|(x, (a, c))| {
                        let is_tie = ((x / b.0).abs().fract() - 0.5).abs() < 1e-4;
                        *a == c || (is_tie && a.abs_diff(c) == 1)
                    })
            };
            let both = self.1.iter().zip(blocks);
            self.1.len() == blocks.len() && row.as_chunks().0.iter().zip(both).all(same)
        }
    }

    pub fn check(
        write: fn(&[f32]) -> Vec<Block>,
        read: fn(&[Block]) -> Vec<f32>,
        most_off: fn(&[f32], &[Block]) -> f32,
    ) -> Checked {
        let case = |row: &Vec<f32>| match row.len() {
            32 => format!("write: {row:?}"),
            length => format!("write: {length} numbers"),
        };
        let answer = |row: &Vec<f32>| Written(row.clone(), write(row));
        ask_all(
            rows(),
            case,
            answer,
            |row| written(row, RIGHT),
            &ways(),
            |right, found| {
                let one = |written: &Written, block: usize| {
                    let row = written.0[32 * block..][..32].to_vec();
                    Written(row, written.1[block..][..1].to_vec())
                };
                let both = right.1.len().min(found.1.len());
                let told = |written: &Written| match (0..both)
                    .find(|&block| one(right, block) != one(found, block))
                {
                    Some(block) => format!("block {block}: {:?}", written.1[block]),
                    None => format!("{} blocks", written.1.len()),
                };
                (told(right), told(found))
            },
        )?;
        reading(read)?;
        let case = |(query, key): &Scored| {
            let scales: Vec<f32> = key.iter().map(|(scale, _)| *scale).collect();
            format!("most_off: a key with the scales {scales:?}, a query {query:?}")
        };
        let answer = |(query, key): &Scored| Bound(f64::from(most_off(query, key)));
        let right = |scored: &Scored| bound(scored, |q, scale, _| scale / 2.0 * q.abs());
        ask_all(scored(), case, answer, right, &mistakes(), |expected, found| {
            (expected.0.to_string(), found.0.to_string())
        })
    }

    /// The first ones can be followed with a pencil.
    fn rows() -> Vec<Vec<f32>> {
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
            steps,
            negative,
            halves,
            vec![0.0; 32],
            [block(0.5), block(100.0)].concat(),
            [block(30.0), vec![0.0; 32], block(1.0), block(0.02)].concat(),
            [block(1e-5), block(1e-12), block(1e-18)].concat(),
            block(1e6),
            Vec::new(),
        ];
        // As keys often are: one column is far larger than the others.
        let mut outlier = block(1.0).repeat(4);
        outlier[77] = 60.0;
        rows.push(outlier);
        rows
    }

    /// How a block is written, in parts that a mistake replaces.
    #[derive(Clone, Copy)]
    struct Way {
        /// Of a row and the number of a block.
        largest: fn(&[f32], usize) -> f32,
        /// Of a number in steps.
        integer: fn(f32) -> i8,
    }

    const RIGHT: Way = Way {
        largest: |row, block| farthest(&row[32 * block..][..32]),
        integer: |steps| steps.round() as i8,
    };

    fn farthest(x: &[f32]) -> f32 {
        x.iter().fold(0.0, |largest, x| largest.max(x.abs()))
    }

    fn written(row: &[f32], way: Way) -> Written {
        let block = |(b, x): (usize, &[f32; 32])| {
            let scale = (way.largest)(row, b) / 127.0;
            (scale, x.map(|x| (way.integer)(x / scale)))
        };
        Written(row.to_vec(), row.as_chunks().0.iter().enumerate().map(block).collect())
    }

    fn ways() -> Vec<Mistake<Vec<f32>, Written>> {
        vec![
            ("this scale is that of the whole row: each block has one of its own", |row| {
                written(row, Way { largest: |row, _| farthest(row), ..RIGHT })
            }),
            (
                "the largest number decides here: it is the largest absolute value, and that number may be negative",
                |row| {
                    let largest = |row: &[f32], block: usize| {
                        row[32 * block..][..32].iter().copied().fold(0.0, f32::max)
                    };
                    written(row, Way { largest, ..RIGHT })
                },
            ),
            (
                "the fraction is dropped, so that every number moves towards zero: a cast does not round",
                |row| written(row, Way { integer: |steps| steps as i8, ..RIGHT }),
            ),
        ]
    }

    fn any_block(random: &mut Random, scale: f32) -> Block {
        (scale, std::array::from_fn(|_| (random.below(255) as i16 - 127) as i8))
    }

    fn reading(read: impl Fn(&[Block]) -> Vec<f32>) -> Checked {
        let mut random = Random::new(85);
        let small: Block = (0.5, std::array::from_fn(|i| i as i8 - 16));
        let mut several: Vec<Block> =
            [0.25, 3.0, 1e-3].map(|scale| any_block(&mut random, scale)).to_vec();
        several.push((0.0, [0; 32]));
        for (case, blocks) in [
            ("read: one block with the scale 0.5 and the integers from -16 to 15", vec![small]),
            ("read: four blocks with the scales 0.25, 3, 0.001 and 0", several),
            ("read: no blocks", Vec::new()),
        ] {
            let found = call(case, || read(&blocks))?;
            let back = |of: &dyn Fn(i8) -> f32| -> Vec<f32> {
                blocks.iter().flat_map(|(scale, all)| all.map(|i| scale * of(i))).collect()
            };
            let shape = [("block", blocks.len()), ("number", 32)];
            let mistakes =
                [("the integers are signed: -1 is not 255", back(&|i| f32::from(i as u8)))];
            let expected = back(&|i| f32::from(i));
            same_numbers(case, &shape, Near::Within(1e-6), &expected, &found, &mistakes)?;
        }
        Ok(())
    }

    /// A query and a key.
    type Scored = (Vec<f32>, Vec<Block>);

    /// How far off their score is at most, up to a hundred-thousandth.
    struct Bound(f64);

    impl PartialEq for Bound {
        fn eq(&self, other: &Bound) -> bool {
            (self.0 - other.0).abs() <= 1e-5 * self.0.abs().max(other.0.abs())
        }
    }

    fn scored() -> Vec<Scored> {
        let mut random = Random::new(86);
        let alternating: Vec<f32> =
            (0..32).map(|i| if i % 2 == 0 { 1.0 } else { -1.0 }).collect();
        let alone: Vec<f32> = (0..32).map(|i| if i == 7 { -3.0 } else { 0.0 }).collect();
        let two = any_block(&mut random, 2.0);
        let mut all = vec![
            (vec![1.0; 32], vec![two]),
            (alternating.clone(), vec![two]),
            (alone, vec![any_block(&mut random, 0.5)]),
            ([vec![1.0; 32], vec![0.0; 32]].concat(), vec![two, any_block(&mut random, 8.0)]),
            // All of them were rounded to 0, and none need have been 0.
            (alternating.clone(), vec![(2.0, [0; 32])]),
            (alternating, vec![(0.0, [0; 32])]),
            (Vec::new(), Vec::new()),
        ];
        for _ in 0..4 {
            let key =
                [0.01, 0.5, 0.02, 0.03].map(|scale| any_block(&mut random, scale)).to_vec();
            all.push((random.numbers(128), key));
        }
        all
    }

    /// Something of each number of the query, its scale and its integer, added up.
    fn bound((query, key): &Scored, of: fn(f64, f64, i8) -> f64) -> Bound {
        let key =
            key.iter().flat_map(|(scale, integers)| integers.map(|i| (f64::from(*scale), i)));
        Bound(query.iter().zip(key).map(|(q, (scale, i))| of(f64::from(*q), scale, i)).sum())
    }

    fn mistakes() -> Vec<Mistake<Scored, Bound>> {
        let small = "a number is off by half a step however small it is itself: the integers do not matter";
        vec![
            (
                "the signs of the query are in it: whether a number was rounded up or down is not known",
                |scored| bound(scored, |q, scale, _| scale / 2.0 * q),
            ),
            (small, |scored| {
                bound(scored, |q, scale, i| if i == 0 { 0.0 } else { scale / 2.0 * q.abs() })
            }),
            (small, |(query, key)| {
                let is_zero = |(_, integers): &Block| *integers == [0; 32];
                let key: Vec<Block> = key
                    .iter()
                    .map(|block| if is_zero(block) { (0.0, [0; 32]) } else { *block })
                    .collect();
                bound(&(query.clone(), key), |q, scale, _| scale / 2.0 * q.abs())
            }),
        ]
    }
}
