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
    use exercise_kit::explained::{Mistake, as_written, ask_all};
    use exercise_kit::pass::Pass;
    use exercise_kit::{Checked, Random};

    type Given = (Pass, Vec<u64>);
    type Limited = (Pass, u64, u64, usize);

    pub fn check(
        nanoseconds: fn(&Pass, &[u64]) -> u64,
        fits: fn(&Pass, u64, u64, usize) -> usize,
    ) -> Checked {
        let case =
            |(pass, lengths): &Given| format!("nanoseconds: {pass:?}, texts of {lengths:?}");
        let answer = |(pass, lengths): &Given| nanoseconds(pass, lengths);
        ask_all(given(), case, answer, right, &of_time(), as_written)?;
        let case = |(pass, length, limit, most): &Limited| {
            format!("fits: {pass:?}, texts of {length}, {limit} nanoseconds, at most {most}")
        };
        let answer = |(pass, length, limit, most): &Limited| fits(pass, *length, *limit, *most);
        ask_all(limited(), case, answer, right_count, &of_count(), as_written)
    }

    /// The fourth is too large for 32 bits and for an f64. The last one is Qwen3-0.6B in Q8_0, with keys and values in 16 bits.
    fn passes() -> [Pass; 5] {
        [
            Pass { weights: 100, operations: 10, cache: 1, bandwidth: 10, rate: 10 },
            Pass { weights: 1000, operations: 300, cache: 7, bandwidth: 10, rate: 70 },
            Pass { weights: 10, operations: 1000, cache: 3, bandwidth: 7, rate: 9 },
            Pass {
                weights: 9,
                operations: 1 << 45,
                cache: (1 << 44) + 1,
                bandwidth: 7,
                rate: 9,
            },
            Pass {
                weights: 633_500_000,
                operations: 1_190_000_000,
                cache: 114_688,
                bandwidth: 27,
                rate: 690,
            },
        ]
    }

    fn given() -> Vec<Given> {
        let mut random = Random::new(123);
        let mut all = Vec::new();
        for pass in passes() {
            let few = [vec![], vec![1], vec![9], vec![9, 9], vec![0, 20, 5], vec![512; 16]];
            all.extend(few.map(|lengths| (pass, lengths)));
            for _ in 0..9 {
                let count = 1 + random.below(40);
                all.push((pass, (0..count).map(|_| random.below(1000) as u64).collect()));
            }
        }
        all
    }

    fn limited() -> Vec<Limited> {
        let mut all = Vec::new();
        for pass in passes() {
            for length in [0, 9, 512] {
                for texts in [0, 1, 2, 5, 16, 40] {
                    let just = right(&(pass, vec![length; texts]));
                    all.extend(
                        [just, just + 1, just.saturating_sub(1)].map(|l| (pass, length, l, 64)),
                    );
                }
                all.push((pass, length, u64::MAX, 8));
                all.push((pass, length, u64::MAX, 0));
            }
        }
        all
    }

    /// Weights, products, and keys with values, each with what it's done with.
    fn times((pass, lengths): &Given) -> [u64; 3] {
        let positions: u64 = lengths.iter().sum();
        [
            pass.weights.div_ceil(pass.bandwidth),
            (lengths.len() as u64 * pass.operations).div_ceil(pass.rate),
            (positions * pass.cache).div_ceil(pass.bandwidth),
        ]
    }

    fn right(given: &Given) -> u64 {
        let [read, compute, cache] = times(given);
        if given.1.is_empty() { 0 } else { read.max(compute) + cache }
    }

    fn right_count(&(pass, length, limit, most): &Limited) -> usize {
        let mut count = 0;
        while count < most && right(&(pass, vec![length; count + 1])) <= limit {
            count += 1;
        }
        count
    }

    fn if_any(given: &Given, time: u64) -> u64 {
        if given.1.is_empty() { 0 } else { time }
    }

    fn of_time() -> Vec<Mistake<Given, u64>> {
        vec![
            ("the weights come while the products are computed, at the same time", |given| {
                let [read, compute, cache] = times(given);
                if_any(given, read + compute + cache)
            }),
            ("the weights are read once, for all texts", |given| {
                let (pass, lengths) = given;
                let read = (pass.weights * lengths.len() as u64).div_ceil(pass.bandwidth);
                let [_, compute, cache] = times(given);
                if_any(given, read.max(compute) + cache)
            }),
            ("each text has keys and values of its own", |given| {
                let longest = given.1.iter().copied().max().unwrap_or(0);
                let [read, compute, _] = times(given);
                let cache = (longest * given.0.cache).div_ceil(given.0.bandwidth);
                if_any(given, read.max(compute) + cache)
            }),
            (
                "a part of a nanosecond counts as a whole one in all three times, once in each",
                |given| {
                    let (pass, lengths) = given;
                    let [read, compute, _] = times(given);
                    let of = |length: &u64| (length * pass.cache).div_ceil(pass.bandwidth);
                    if_any(given, read.max(compute) + lengths.iter().map(of).sum::<u64>())
                },
            ),
            ("a part of a nanosecond counts as a whole one", |given| {
                let (pass, lengths) = given;
                let read = pass.weights / pass.bandwidth;
                let compute = lengths.len() as u64 * pass.operations / pass.rate;
                let cache = lengths.iter().sum::<u64>() * pass.cache / pass.bandwidth;
                if_any(given, read.max(compute) + cache)
            }),
        ]
    }

    fn of_count() -> Vec<Mistake<Limited, usize>> {
        vec![("together they don't take so many times what one text takes", |given| {
            let (pass, length, limit, most) = *given;
            (limit / right(&(pass, vec![length])).max(1)).min(most as u64) as usize
        })]
    }
}
