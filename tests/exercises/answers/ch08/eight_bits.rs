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
    use exercise_kit::explained::{ask_each, ask_in_turn};
    use exercise_kit::{Checked, Random};

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

    /// Numbers that are equal up to a hundred-thousandth of the largest.
    struct Near(Vec<f64>);

    impl PartialEq for Near {
        fn eq(&self, Near(other): &Near) -> bool {
            let mut both = self.0.iter().zip(other);
            self.0.len() == other.len()
                && both.all(|(a, b)| (a - b).abs() <= 1e-5 * a.abs().max(b.abs()))
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
        ask_in_turn(
            rows(),
            case,
            answer,
            |row| written(row),
            |right, found| {
                let both = right.1.iter().zip(&found.1);
                let at = both.take_while(|(right, found)| right == found).count();
                let told = |it: &Written| {
                    format!("{} blocks, number {at}: {:?}", it.1.len(), it.1.get(at))
                };
                (told(right), told(found))
            },
        )?;
        let show = |expected: &Near, found: &Near| {
            (format!("{:?}", expected.0), format!("{:?}", found.0))
        };
        let wide = |found: Vec<f32>| Near(found.into_iter().map(f64::from).collect());
        let case = |key: &Vec<Block>| format!("read: {key:?}");
        let right = |key: &Vec<Block>| {
            let back = |(scale, all): &Block| all.map(|i| scale * f32::from(i));
            wide(key.iter().flat_map(back).collect())
        };
        let signed = |key: &Vec<Block>, right: &Near, found: Option<&Near>| {
            let is_lost = |((i, right), found): ((&i8, &f64), &f64)| *i < 0 && found > right;
            let integers = key.iter().flat_map(|(_, integers)| integers).zip(&right.0);
            match found.is_some_and(|found| integers.zip(&found.0).any(is_lost)) {
                true => "the integers are signed: -1 is not 255",
                false => "",
            }
        };
        let keys = scored().into_iter().map(|(_, (_, key))| key);
        ask_each(keys, case, |key| wide(read(key)), right, signed, show)?;
        let case = |(query, key): &Scored| {
            let scales: Vec<f32> = key.iter().map(|(scale, _)| *scale).collect();
            format!("most_off: a key with the scales {scales:?}, a query {query:?}")
        };
        let answer = |(query, key): &Scored| wide(vec![most_off(query, key)]);
        let right = |(query, key): &Scored| {
            let scales = key.iter().flat_map(|(scale, _)| [f64::from(*scale); 32]);
            let off = scales.zip(query).map(|(scale, q)| scale / 2.0 * f64::from(q.abs()));
            Near(vec![off.sum()])
        };
        ask_in_turn(scored(), case, answer, right, show)
    }

    /// The first ones can be followed with a pencil. In each, one thing more can go wrong.
    fn rows() -> Vec<(&'static str, Vec<f32>)> {
        let mut random = Random::new(84);
        let mut block =
            |size: f32| -> Vec<f32> { random.numbers(32).iter().map(|x| x * size).collect() };
        let mut steps: Vec<f32> = (0..32).map(|i| (i as f32 - 16.0) * 0.75 + 0.04).collect();
        steps[3] = 12.7;
        let mut negative = steps.clone();
        negative[30] = -25.4;
        // As keys often are: one column is far larger than the others.
        let mut outlier = block(1.0).repeat(4);
        outlier[77] = 60.0;
        vec![
            (
                "the fraction is dropped, so that every number moves towards zero: a cast does not round",
                steps,
            ),
            (
                "the largest number decides here: it is the largest absolute value, and that number may be negative",
                negative,
            ),
            (
                "this scale is that of the whole row: each block has one of its own",
                [block(0.5), block(100.0)].concat(),
            ),
            ("", vec![0.0; 32]),
            ("", [block(30.0), vec![0.0; 32], block(1.0), block(0.02)].concat()),
            ("", [block(1e-5), block(1e-12), block(1e-18), block(1e6)].concat()),
            ("", Vec::new()),
            ("", outlier),
            ("", (0..300).flat_map(|i| block(0.9f32.powi(i))).collect()),
        ]
    }

    fn written(row: &[f32]) -> Written {
        let block = |x: &[f32; 32]| {
            let scale = x.iter().fold(0.0, |largest, x| x.abs().max(largest)) / 127.0;
            (scale, x.map(|x| if scale == 0.0 { 0 } else { (x / scale).round() as i8 }))
        };
        Written(row.to_vec(), row.as_chunks().0.iter().map(block).collect())
    }

    /// A query and a key.
    type Scored = (Vec<f32>, Vec<Block>);

    fn scored() -> Vec<(&'static str, Scored)> {
        let mut random = Random::new(86);
        let mut key = |scales: &[f32]| -> Vec<Block> {
            let mut any = |_| (random.below(255) as i16 - 127) as i8;
            scales.iter().map(|scale| (*scale, std::array::from_fn(&mut any))).collect()
        };
        let alternating = [1.0, -1.0].repeat(16);
        let signs = "the signs of the query are in it: whether a number was rounded up or down is not known";
        let small = "a number is off by half a step however small it is itself: the integers do not matter";
        let mut all = vec![
            ("", (vec![1.0; 32], vec![(0.5, [3; 32])])),
            (signs, (alternating.clone(), vec![(2.0, [7; 32])])),
            (small, (alternating.clone(), vec![(2.0, [0; 32])])),
            ("", (alternating, vec![(0.0, [0; 32])])),
            ("", (Vec::new(), Vec::new())),
        ];
        let mut numbers = Random::new(85);
        for blocks in [1, 2, 4, 4, 4, 300] {
            let scales: Vec<f32> = numbers.numbers(blocks).iter().map(|x| x.abs()).collect();
            all.push(("", (numbers.numbers(32 * blocks), key(&scales))));
        }
        all
    }
}
