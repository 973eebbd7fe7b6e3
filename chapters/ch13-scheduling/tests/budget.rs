//! How many rows a pass may have is arithmetic, too: with the rows and times of the passes before.

use std::time::Duration;

use ch13_scheduling::how::PREFILL_CHUNK;
use ch13_scheduling::schedule::{FEW, Pace};
use ground::random::SplitMix64;

const GAP: Duration = Duration::from_millis(150);

/// So many passes that are as full as may be, each as slow as `ms` says of its rows. Returns the rows and times.
fn passes(
    pace: &mut Pace,
    count: usize,
    mut ms: impl FnMut(usize) -> f64,
) -> Vec<(usize, f64)> {
    let pass = |_| {
        let rows = pace.fits(GAP);
        let time = ms(rows);
        pace.passed(rows, Duration::from_secs_f64(time / 1e3));
        (rows, time)
    };
    (0..count).map(pass).collect()
}

/// 40 ms and 2.4 a row, with up to 5 % of noise.
fn usual(random: &mut SplitMix64) -> impl FnMut(usize) -> f64 {
    |rows| (40.0 + 2.4 * rows as f64) * (0.95 + 0.1 * random.fraction())
}

#[test]
fn a_budget_stays_within_its_bounds() {
    let random = &mut SplitMix64::new(132);
    for _ in 0..1000 {
        let mut pace = Pace::default();
        for _ in 0..100 {
            let (below, us) = ([2, 60, 5000][random.below(3)], 1 << random.below(24));
            let rows = 1 + random.below(below);
            pace.passed(rows, Duration::from_micros(random.below(us) as u64));
            let now = pace.fits(Duration::from_micros(1 << random.below(24)));
            assert!((FEW..=PREFILL_CHUNK.get()).contains(&now), "{now}");
        }
    }
}

#[test]
fn a_budget_settles_where_a_pass_takes_as_long_as_the_gap() {
    for fixed in [0.0, 20.0, 40.0, 100.0] {
        for row in [0.3, 1.0, 2.4, 6.0] {
            let cost = |rows: usize| fixed + row * rows as f64;
            let (rows, time) = passes(&mut Pace::default(), 40, cost)[39];
            let what = format!("{fixed} ms and {row} a row: {rows} rows take {time} ms");
            assert!(rows == FEW || time <= 151.0, "{what}: too long");
            assert!(rows == PREFILL_CHUNK.get() || cost(rows + 1) > 149.0, "{what}: too few");
        }
    }
}

/// One pass that is five times as slow makes the next one small, and nothing else.
#[test]
fn one_slow_pass_is_forgotten() {
    let mut random = SplitMix64::new(134);
    let mut pace = Pace::default();
    passes(&mut pace, 40, usual(&mut random));
    let before = pace.fits(GAP);
    passes(&mut pace, 1, |rows| 5.0 * (40.0 + 2.4 * rows as f64));
    assert_eq!(pace.fits(GAP), FEW, "the next one may be as slow");
    passes(&mut pace, 1, usual(&mut random));
    assert!(pace.fits(GAP).abs_diff(before) <= 2, "{} after {before}", pace.fits(GAP));
}

/// Where 40 ms and 2.4 a row leave room for 45, as long as nothing tells the one from the other.
#[test]
fn passes_of_equal_rows_tell_the_two_costs_apart_no_longer_and_change_nothing() {
    let mut random = SplitMix64::new(135);
    for writers in [1, 4, 16] {
        let mut pace = Pace::default();
        passes(&mut pace, 40, usual(&mut random));
        for _ in 0..1000 {
            let time = usual(&mut random)(writers);
            pace.passed(writers, Duration::from_secs_f64(time / 1e3));
        }
        let now = pace.fits(GAP);
        assert!((41..=50).contains(&now), "{now} rows after long passes of {writers}");
        let all = passes(&mut pace, 1000, usual(&mut random));
        let rows = all.iter().map(|(rows, _)| rows).sum::<usize>() as f64 / 1000.0;
        assert!((43.0..48.0).contains(&rows), "{rows} on average");
        assert!(all.iter().all(|(_, time)| *time <= 180.0), "{all:?}");
    }
}

/// Whatever becomes slower: only one pass may last more than half as long again as it should, if any can be shorter at all.
#[test]
fn a_change_of_cost_is_noticed_after_a_pass() {
    let mut random = SplitMix64::new(136);
    for (fixed, row) in [(110.0, 2.4), (40.0, 4.8), (40.0, 10.0), (80.0, 4.8), (20.0, 1.2)] {
        for seed in 0..100 {
            let mut pace = Pace::default();
            passes(&mut pace, 40 + seed, usual(&mut random));
            let noise = &mut SplitMix64::new(seed as u64);
            let now =
                |rows: usize| (fixed + row * rows as f64) * (0.95 + 0.1 * noise.fraction());
            let all = passes(&mut pace, 100, now);
            let long = all.iter().skip(1).filter(|(_, time)| *time > 1.5 * 150.0).count();
            assert_eq!(long, 0, "now {fixed} ms and {row} a row: {all:?}");
            let fits = (150.0 - fixed) / row;
            let (rows, _) = all[99];
            let near = 0.75 * fits..=1.25 * fits;
            assert!(rows == FEW || near.contains(&(rows as f64)), "{rows} instead of {fits}");
        }
    }
}
