//! How many rows a pass may have is arithmetic, too: with the rows and times of the passes before.

use std::time::Duration;

use ch13_scheduling::how::PREFILL_CHUNK;
use ch13_scheduling::schedule::{FEW, Pace};
use ground::random::SplitMix64;

const GAP: Duration = Duration::from_millis(150);

/// What a pass costs: so many ms, so many more for each row, and so much of both at random.
#[derive(Clone, Copy)]
struct Cost {
    fixed: f64,
    row: f64,
    noise: f64,
}

const USUAL: Cost = Cost { fixed: 40.0, row: 2.4, noise: 0.1 };

impl Cost {
    fn ms(self, rows: usize, random: &mut SplitMix64) -> f64 {
        (self.fixed + self.row * rows as f64) * (1.0 + self.noise * random.fraction())
    }

    /// So many passes in which four write.
    fn write(self, pace: &mut Pace, count: usize, random: &mut SplitMix64) {
        for _ in 0..count {
            pace.passed(0, Duration::from_secs_f64(self.ms(4, random) / 1e3));
        }
    }

    /// So many passes in which four write and a prompt gets all that fits. Returns its rows and their times.
    fn read(self, pace: &mut Pace, count: usize, random: &mut SplitMix64) -> Vec<(usize, f64)> {
        let pass = |_| {
            let rows = pace.fits(GAP);
            let ms = self.ms(4 + rows, random);
            pace.passed(rows, Duration::from_secs_f64(ms / 1e3));
            (rows, ms)
        };
        (0..count).map(pass).collect()
    }
}

#[test]
fn a_budget_stays_within_its_bounds() {
    let random = &mut SplitMix64::new(132);
    for _ in 0..1000 {
        let mut pace = Pace::default();
        for _ in 0..100 {
            let (below, us) = ([2, 60, 5000][random.below(3)], 1 << random.below(24));
            pace.passed(random.below(below), Duration::from_micros(random.below(us) as u64));
            let now = pace.fits(Duration::from_micros(1 << random.below(24)));
            assert!((FEW..=PREFILL_CHUNK.get()).contains(&now), "{now}");
        }
    }
}

#[test]
fn a_budget_settles_where_a_pass_takes_as_long_as_the_gap() {
    let random = &mut SplitMix64::new(133);
    for fixed in [0.0, 20.0, 40.0, 100.0] {
        for row in [0.3, 1.0, 2.4, 6.0] {
            for before in [0, 1, 20] {
                let cost = Cost { fixed, row, noise: 0.0 };
                let mut pace = Pace::default();
                cost.write(&mut pace, before, random);
                let (rows, ms) = cost.read(&mut pace, 40, random)[39];
                let what = format!("{fixed} ms and {row} a row: {rows} rows take {ms} ms");
                assert!(rows == FEW || ms <= 151.0, "{what}: too long");
                // While nothing tells the fixed part, all of it is a row's.
                let more = ms + 2.0 * if before == 0 { ms / rows as f64 } else { row };
                assert!(rows == PREFILL_CHUNK.get() || more > 149.0, "{what}: too few");
            }
        }
    }
}

/// One pass that is five times as slow makes the next two small, and then it's as before.
#[test]
fn one_slow_pass_is_forgotten() {
    let random = &mut SplitMix64::new(134);
    let mut pace = Pace::default();
    USUAL.write(&mut pace, 10, random);
    USUAL.read(&mut pace, 40, random);
    let slow = Cost { fixed: 200.0, row: 12.0, noise: 0.0 };
    slow.read(&mut pace, 1, random);
    let after: Vec<usize> =
        USUAL.read(&mut pace, 5, random).into_iter().map(|(rows, _)| rows).collect();
    assert_eq!(after[..2], [FEW; 2], "the next ones may be as slow");
    assert!(after[4] >= 35, "{after:?}");
}

/// However long nobody reads, and however noisy the passes are.
#[test]
fn a_first_pass_of_a_prompt_is_as_short_as_the_others() {
    let random = &mut SplitMix64::new(135);
    for noise in [0.05, 0.2] {
        let cost = Cost { noise, ..USUAL };
        let (mut pace, mut all) = (Pace::default(), Vec::new());
        for _ in 0..1000 {
            cost.write(&mut pace, 1 + random.below(100), random);
            all.extend(cost.read(&mut pace, 1 + random.below(10), random));
        }
        assert!(all.iter().all(|(_, ms)| *ms <= 1.25 * 150.0), "{all:?}");
        let rows = all.iter().map(|(rows, _)| *rows as f64).sum::<f64>() / all.len() as f64;
        assert!(rows > 34.0, "{rows} rows on average");
    }
}

/// Two slow passes in a row, the second of them small, once led to a straight line that was all but level, and to passes of
/// more than a second.
#[test]
fn a_stutter_makes_no_pass_long() {
    let random = &mut SplitMix64::new(137);
    for seed in 0..1000 {
        let mut pace = Pace::default();
        USUAL.write(&mut pace, 10, random);
        USUAL.read(&mut pace, 10 + seed % 7, random);
        for _ in 0..4 {
            let factor = 1.0 + 2.0 * random.fraction();
            let slow = Cost { fixed: 40.0 * factor, row: 2.4 * factor, noise: 0.0 };
            slow.read(&mut pace, 1, random);
        }
        let after = USUAL.read(&mut pace, 20, random);
        assert!(after.iter().all(|(_, ms)| *ms <= 1.25 * 150.0), "{after:?}");
    }
}

/// Whatever becomes slower: only one pass may last more than half as long again as it should, if any can be shorter at all.
#[test]
fn a_change_of_cost_is_noticed_after_a_pass() {
    let random = &mut SplitMix64::new(136);
    for (fixed, row) in [(110.0, 2.4), (40.0, 4.8), (40.0, 10.0), (80.0, 4.8), (20.0, 1.2)] {
        for seed in 0..100 {
            let mut pace = Pace::default();
            USUAL.write(&mut pace, 10, random);
            USUAL.read(&mut pace, 40 + seed, random);
            let now = Cost { fixed, row, noise: 0.1 };
            let all = now.read(&mut pace, 100, random);
            let long = all.iter().skip(1).filter(|(_, ms)| *ms > 1.5 * 150.0).count();
            assert_eq!(long, 0, "now {fixed} ms and {row} a row: {all:?}");
            let fits = (150.0 - fixed) / row - 4.0;
            let (rows, _) = all[99];
            let near = 0.7 * fits..=1.1 * fits;
            assert!(rows == FEW || near.contains(&(rows as f64)), "{rows} instead of {fits}");
        }
    }
}
