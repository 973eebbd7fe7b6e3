//! How many rows of prompts a pass may have is arithmetic, too: with a few numbers of the pass before.

use std::time::Duration;

use ch13_scheduling::how::PREFILL_CHUNK;
use ch13_scheduling::schedule::{FEW, budget};
use ground::random::SplitMix64;

#[test]
fn a_budget_stays_within_its_bounds() {
    let random = &mut SplitMix64::new(132);
    let (least, most) = (FEW, PREFILL_CHUNK.get());
    for _ in 0..1_000_000 {
        let before = least + random.below(most - least + 1);
        let below = [2, before + 1, 5000][random.below(3)];
        let rows = random.below(below);
        let us = |random: &mut SplitMix64| Duration::from_micros(1 << random.below(24));
        let (time, gap) = (us(random), us(random));
        let now = budget(before, rows, time, gap);
        let what = format!("{before} before, {rows} rows in {time:?} for a gap of {gap:?}");
        assert!((least..=most).contains(&now), "{what}: {now}");
        assert!((before / 2..=2 * before).contains(&now), "{what}: {now} is a leap");
        assert!(rows > 0 || now == before, "{what}: nothing was learnt, and it's {now}");
    }
}

/// A pass takes some time for those who write, and some for each row of a prompt.
#[test]
fn a_budget_settles_where_a_pass_takes_as_long_as_the_gap() {
    let gap = Duration::from_millis(150);
    for writing in [1, 20, 60, 100, 400] {
        for row in [0.01, 0.3, 1.0, 2.5, 6.0, 100.0] {
            let pass = |rows: usize| {
                Duration::from_secs_f64((writing as f64 + row * rows as f64) / 1e3)
            };
            for first in [FEW, 100, PREFILL_CHUNK.get()] {
                let next = |now: usize, _| budget(now, now, pass(now), gap);
                let now = (0..20).fold(first, next);
                let what =
                    format!("{writing} ms and {row} a row: {now} rows take {:?}", pass(now));
                assert!(now == FEW || pass(now) <= gap, "{what}: too long");
                let more = (now + 1 + now / 8).min(PREFILL_CHUNK.get());
                assert!(now == more || pass(more) >= gap, "{what}: too few");
            }
        }
    }
}
