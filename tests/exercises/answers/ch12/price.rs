//? title: What a pass over several texts costs
//? page: ch12/batch.md
//? section: What a row more costs
//? level: core
//? minutes: 35
//? call: check(nanoseconds, fits)
//? hint 1: Which bytes are read once, however many texts there are, and which are read for each text? Which operations are done once? Write down the four sums for one text and for two.
//? hint 2: Weights are read once, and meanwhile the threads compute, so of these two times only the longer counts. Each text has keys and values of its own, which nobody else's row can use: their bytes come on top.
//? hint 3: `weights / bandwidth` beside `texts.len() * operations / rate`, the larger of the two, plus the sum of all lengths times `cache` divided by `bandwidth`. For `fits`, try counts from 1 on while the pass takes no longer than `limit`; the cache makes it grow from the first text on, and with `length` 0 and no operations nothing ever grows.
//? why: As long as reading the weights takes longer than computing, another text is nearly free: that's all of batching. The keys and values are the part that it
//?   can't help with. They grow with the texts and their lengths, and at 16 texts of some thousand tokens they weigh more than the weights. So chapter 8 came before this one. The
//?   bend of the curve is where computing takes over, and it moves with the machine: more bandwidth for the same cores, and a batch pays less.

// A pass computes one new token for each of several texts. Estimate what it costs:
//
// - The bytes of all weights are read once, at `bandwidth` bytes a nanosecond. While they come, the products of all rows are
//   computed: `operations` for each text, `rate` of them a nanosecond. The pass waits for whichever takes longer.
// - Then attention reads the keys and values of each text: `cache` bytes for each of its positions, at the same bandwidth.
//
// A part of a nanosecond counts as a whole one, in each of the three times. `Pass` is in `exercise_kit::pass`.
//
// - `nanoseconds(pass, lengths)`: what a pass takes for texts of these lengths; 0 without any text.
// - `fits(pass, length, limit, most)`: how many texts of `length` positions can share a pass of no more than `limit` nanoseconds,
//   but at most `most`. 0 if not even one can.

use exercise_kit::pass::Pass;

pub fn nanoseconds(pass: &Pass, lengths: &[u64]) -> u64 {
    //-- starter
    // todo!()
    //-- solution
    if lengths.is_empty() {
        return 0;
    }
    let texts = lengths.len() as u64;
    let read = pass.weights.div_ceil(pass.bandwidth);
    let compute = (texts * pass.operations).div_ceil(pass.rate);
    let positions: u64 = lengths.iter().sum();
    read.max(compute) + (positions * pass.cache).div_ceil(pass.bandwidth)
    //-- end
}

pub fn fits(pass: &Pass, length: u64, limit: u64, most: usize) -> usize {
    //-- starter
    // todo!()
    //-- solution
    let takes = |texts: &usize| nanoseconds(pass, &vec![length; *texts]);
    (1..=most).take_while(|texts| takes(texts) <= limit).count()
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::explained::{as_written, ask_in_turn};
    use exercise_kit::pass::Pass;
    use exercise_kit::{Checked, Random};

    type Given = (Pass, Vec<u64>);
    type Limited = (Pass, u64, u64, usize);

    const SMALL: Pass =
        Pass { weights: 100, operations: 10, cache: 1, bandwidth: 10, rate: 10 };

    pub fn check(
        nanoseconds: fn(&Pass, &[u64]) -> u64,
        fits: fn(&Pass, u64, u64, usize) -> usize,
    ) -> Checked {
        let case =
            |(pass, lengths): &Given| format!("nanoseconds: {pass:?}, texts of {lengths:?}");
        let answer = |(pass, lengths): &Given| nanoseconds(pass, lengths);
        ask_in_turn(given(), case, answer, right, as_written)?;
        let case = |(pass, length, limit, most): &Limited| {
            format!("fits: {pass:?}, texts of {length}, {limit} nanoseconds, at most {most}")
        };
        let answer = |(pass, length, limit, most): &Limited| fits(pass, *length, *limit, *most);
        ask_in_turn(limited(), case, answer, right_count, as_written)
    }

    /// By hand first: in each, one thing more can go wrong.
    fn given() -> Vec<(&'static str, Given)> {
        let mut all: Vec<_> = [
            ("the weights come while the products are computed, at the same time", vec![10]),
            ("the weights are read once, for all texts", vec![0, 0]),
            ("each text has keys and values of its own", vec![10, 10]),
            (
                "a part of a nanosecond counts as a whole one in all three times, once in each",
                vec![5, 5],
            ),
            ("a part of a nanosecond counts as a whole one", vec![1]),
            ("", vec![]),
        ]
        .map(|(reason, lengths)| (reason, (SMALL, lengths)))
        .into();
        let mut random = Random::new(123);
        for pass in passes() {
            for _ in 0..20 {
                let count = random.below(40);
                let lengths = (0..count).map(|_| random.below(100_000) as u64).collect();
                all.push(("", (pass, lengths)));
            }
        }
        all
    }

    /// The third one is Qwen3-0.6B in Q8_0, with keys and values in 16 bits, and the last needs more bits than an `f64` has.
    fn passes() -> [Pass; 4] {
        let of = |weights, operations, cache, bandwidth, rate| Pass {
            weights,
            operations,
            cache,
            bandwidth,
            rate,
        };
        [
            of(1000, 300, 7, 10, 70),
            of(10, 1000, 3, 7, 9),
            of(633_500_000, 1_190_000_000, 114_688, 27, 690),
            of((1 << 60) + 1, (1 << 56) + 1, (1 << 36) + 1, 1, 1),
        ]
    }

    fn limited() -> Vec<(&'static str, Limited)> {
        let together = "together they don't take so many times what one text takes";
        let mut all = vec![(together, (SMALL, 10, 14, 64))];
        for pass in passes() {
            for length in [0, 9, 512] {
                for texts in [0, 1, 2, 5, 16, 40] {
                    let just = right(&(pass, vec![length; texts]));
                    let limits = [just, just + 1, just.saturating_sub(1)];
                    all.extend(limits.map(|limit| ("", (pass, length, limit, 64))));
                }
                all.extend([0, 8].map(|most| ("", (pass, length, u64::MAX, most))));
            }
        }
        all
    }

    fn right((pass, lengths): &Given) -> u64 {
        let parts = |amount: u64, of: u64| amount / of + u64::from(!amount.is_multiple_of(of));
        let read = parts(pass.weights, pass.bandwidth);
        let compute = parts(lengths.len() as u64 * pass.operations, pass.rate);
        let cache = parts(lengths.iter().sum::<u64>() * pass.cache, pass.bandwidth);
        if lengths.is_empty() { 0 } else { read.max(compute) + cache }
    }

    fn right_count(&(pass, length, limit, most): &Limited) -> usize {
        let mut count = 0;
        while count < most && right(&(pass, vec![length; count + 1])) <= limit {
            count += 1;
        }
        count
    }
}
