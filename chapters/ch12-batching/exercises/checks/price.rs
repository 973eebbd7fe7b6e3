use exercise_kit::explained::{Answered, Mistake, explained};
use exercise_kit::pass::Pass;
use exercise_kit::{Checked, Failure, Random, call};

type Given = (Pass, Vec<u64>);
type Limited = (Pass, u64, u64, usize);

pub fn check(
    nanoseconds: impl Fn(&Pass, &[u64]) -> u64,
    fits: impl Fn(&Pass, u64, u64, usize) -> usize,
) -> Checked {
    let mut all = Vec::new();
    for given in given() {
        let case = format!("nanoseconds: {:?}, texts of {:?}", given.0, given.1);
        let found = call(&case, || nanoseconds(&given.0, &given.1))
            .map_err(|failure| Failure { expected: right(&given).to_string(), ..failure })?;
        all.push(Answered { case, given, found });
    }
    explained(&all, right, &of_time(), told)?;
    let mut all = Vec::new();
    for given in limited() {
        let (pass, length, limit, most) = given;
        let case =
            format!("fits: {pass:?}, texts of {length}, {limit} nanoseconds, at most {most}");
        let found = call(&case, || fits(&pass, length, limit, most)).map_err(|failure| {
            Failure { expected: right_count(&given).to_string(), ..failure }
        })?;
        all.push(Answered { case, given, found });
    }
    explained(&all, right_count, &of_count(), told)
}

fn told(expected: &impl ToString, found: &impl ToString) -> (String, String) {
    (expected.to_string(), found.to_string())
}

/// The last one is Qwen3-0.6B in Q8_0, with keys and values in 16 bits.
fn passes() -> [Pass; 4] {
    [
        Pass { weights: 100, operations: 10, cache: 1, bandwidth: 10, rate: 10 },
        Pass { weights: 1000, operations: 300, cache: 7, bandwidth: 10, rate: 70 },
        Pass { weights: 10, operations: 1000, cache: 3, bandwidth: 7, rate: 9 },
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
        ("products are computed for each text", |given| {
            let [read, _, cache] = times(given);
            if_any(given, read.max(given.0.operations.div_ceil(given.0.rate)) + cache)
        }),
        ("each text has keys and values of its own", |given| {
            let longest = given.1.iter().copied().max().unwrap_or(0);
            let [read, compute, _] = times(given);
            let cache = (longest * given.0.cache).div_ceil(given.0.bandwidth);
            if_any(given, read.max(compute) + cache)
        }),
        ("keys and values are read once for each text, its own ones", |given| {
            let positions = given.1.iter().sum::<u64>() * given.1.len() as u64;
            let [read, compute, _] = times(given);
            let cache = (positions * given.0.cache).div_ceil(given.0.bandwidth);
            if_any(given, read.max(compute) + cache)
        }),
        (
            "keys and values come on top: they are read after the products they belong to",
            |given| if_any(given, times(given).into_iter().max().unwrap_or(0)),
        ),
        ("a part of a nanosecond counts as a whole one", |given| {
            let (pass, lengths) = given;
            let read = pass.weights / pass.bandwidth;
            let compute = lengths.len() as u64 * pass.operations / pass.rate;
            let cache = lengths.iter().sum::<u64>() * pass.cache / pass.bandwidth;
            if_any(given, read.max(compute) + cache)
        }),
        ("without any text there is no pass, and nothing is read", |given| {
            let [read, compute, cache] = times(given);
            read.max(compute) + cache
        }),
    ]
}

fn of_count() -> Vec<Mistake<Limited, usize>> {
    vec![
        ("this is one text too many", |given| (right_count(given) + 1).min(given.3)),
        ("together they don't take so many times what one text takes", |given| {
            let (pass, length, limit, most) = *given;
            (limit / right(&(pass, vec![length])).max(1)).min(most as u64) as usize
        }),
        ("a pass may take no more than the limit, and just as much is no more", |given| {
            let (pass, length, limit, most) = *given;
            limit.checked_sub(1).map_or(0, |limit| right_count(&(pass, length, limit, most)))
        }),
    ]
}
