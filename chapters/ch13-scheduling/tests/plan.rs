//! The plan of a pass is arithmetic with a few numbers for each text, so it's tried a million times.

use std::time::Duration;

use ch13_scheduling::how::PREFILL_CHUNK;
use ch13_scheduling::kernels::PIECE;
use ch13_scheduling::schedule::{FEW, Standing, budget, rows};
use ground::random::SplitMix64;

/// Some write, some have just begun, some stand in the middle of a block or at its edge.
fn texts(random: &mut SplitMix64) -> Vec<Standing> {
    let text = |random: &mut SplitMix64| {
        let computed = [0, 1, PIECE - 1, PIECE, random.below(1000)][random.below(5)];
        let lacks = [1, 1, 2, PIECE, 1 + random.below(1000)][random.below(5)];
        Standing { known: computed + lacks, computed }
    };
    (0..random.below(17)).map(|_| text(random)).collect()
}

#[test]
fn a_pass_is_shared_out_by_the_rule() {
    let random = &mut SplitMix64::new(131);
    for _ in 0..1_000_000 {
        let texts = texts(random);
        let budget = [1, 7, PIECE, 100, 1 + random.below(1000)][random.below(5)];
        let rows = rows(&texts, budget);
        let what = || format!("{budget} rows for {texts:?}: {rows:?}");
        assert_eq!(rows.len(), texts.len(), "{}", what());
        let mut rest = budget;
        for (text, &rows) in texts.iter().zip(&rows) {
            if text.lacks() == 1 {
                assert_eq!(rows, 1, "who writes goes on, {}", what());
                continue;
            }
            let end = text.computed + rows;
            assert!(rest < budget || rows > 0, "the oldest goes on, {}", what());
            assert!(rows <= rest && end <= text.known, "no more than there is, {}", what());
            // Whoever stops short stops at a block's end. Within a block, it's because the budget is.
            let takes_all = rows == rest && end - end % PIECE <= text.computed;
            let stops_at_a_block = end % PIECE == 0 && rest - rows < PIECE;
            let stops = end == text.known || takes_all || stops_at_a_block;
            assert!(stops, "at a block's end, {}", what());
            rest -= rows;
        }
    }
}

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
