//! The plan of a pass is arithmetic with a few numbers for each text, so it's tried a million times.

use ch13_scheduling::kernels::BLOCK_SIZE;
use ch13_scheduling::schedule::{SHORT, Standing, rows};
use ground::random::SplitMix64;

/// Some write, some have just begun, some stand in the middle of a block or at its edge.
fn texts(random: &mut SplitMix64) -> Vec<Standing> {
    let text = |random: &mut SplitMix64| {
        let computed = [0, 1, BLOCK_SIZE - 1, BLOCK_SIZE, random.below(1000)][random.below(5)];
        let lacks = [1, 1, 2, BLOCK_SIZE, 1 + random.below(1000)][random.below(5)];
        Standing { owner: random.below(3) / 2, known: computed + lacks, computed }
    };
    (0..random.below(17)).map(|_| text(random)).collect()
}

#[test]
fn a_pass_is_shared_out_by_the_rule() {
    let random = &mut SplitMix64::new(131);
    for _ in 0..1_000_000 {
        let texts = texts(random);
        let budget = [1, 7, BLOCK_SIZE, 100, 1 + random.below(1000)][random.below(5)];
        let rows = rows(&texts, budget);
        let what = || format!("{budget} rows for {texts:?}: {rows:?}");
        assert_eq!(rows.len(), texts.len(), "{}", what());
        let all: Vec<_> = texts.iter().zip(rows.iter().copied()).collect();
        assert!(
            all.iter().all(|(text, rows)| text.lacks() > 1 || *rows == 1),
            "who writes goes on, {}",
            what()
        );
        let readers: Vec<_> = all.into_iter().filter(|(text, _)| text.lacks() > 1).collect();
        let Some(&(oldest, first)) = readers.first() else { continue };
        let given = |of: &dyn Fn(&Standing) -> bool| -> [usize; 2] {
            let those = readers.iter().filter(|(text, _)| of(text));
            those.fold([0; 2], |[lack, rows], (text, more)| [lack + text.lacks(), rows + more])
        };
        assert!(readers.iter().all(|(text, rows)| *rows <= text.lacks()), "{}", what());
        let [lack, rows] = given(&|_| true);
        assert_eq!(rows, budget.min(lack), "no row is left or too many, {}", what());
        assert!(
            first >= oldest.lacks().min(budget.div_ceil(2)),
            "the oldest goes on, {}",
            what()
        );
        // A quarter each, rounded as the rule does, or all that they lack.
        let beside = budget - oldest.lacks().min(budget.div_ceil(2));
        let [lack, rows] = given(&|text| text.lacks() * SHORT < oldest.lacks());
        assert!(rows >= lack.min(beside.div_ceil(2)), "who is short goes on, {}", what());
        let [lack, rows] = given(&|text| text.owner != oldest.owner);
        assert!(rows >= lack.min(beside / 2), "other owners go on, {}", what());
    }
}

/// Texts as they come, in passes of this many rows. Says after how many passes each was read.
fn read(arrivals: &[(usize, usize, usize)], budget: usize) -> Vec<usize> {
    let mut texts: Vec<(usize, Standing)> = Vec::new();
    let mut done = vec![0; arrivals.len()];
    for pass in 0..100_000 {
        let now = arrivals.iter().enumerate().filter(|(_, (at, ..))| *at == pass);
        texts.extend(now.map(|(index, &(_, owner, known))| {
            (index, Standing { owner, known, computed: 0 })
        }));
        if texts.is_empty() && arrivals.iter().all(|(at, ..)| *at < pass) {
            return done;
        }
        let standings: Vec<Standing> = texts.iter().map(|(_, text)| *text).collect();
        for ((index, text), rows) in texts.iter_mut().zip(rows(&standings, budget)) {
            text.computed += rows;
            done[*index] = pass + 1;
        }
        texts.retain(|(_, text)| text.lacks() > 0);
    }
    panic!("some are never read: {texts:?}")
}

/// Those who come later can't hold up anybody without end: the oldest has half of each pass.
#[test]
fn nobody_waits_longer_than_twice_the_rows_before_it() {
    let random = &mut SplitMix64::new(133);
    let mut longest = 0.0f64;
    for _ in 0..3_000 {
        let budget = [8, 43, 170, 512][random.below(4)];
        let mut at = 0;
        let arrivals: Vec<_> = (0..40)
            .map(|_| {
                at += random.below(3) * random.below(20);
                let long = [30, 100, 500, 2000][random.below(4)];
                (at, [0, 0, 0, 1, 2][random.below(5)], 2 + random.below(long))
            })
            .collect();
        let done = read(&arrivals, budget);
        for (index, &(at, _, own)) in arrivals.iter().enumerate() {
            let older = (0..index).filter(|&older| done[older] > at);
            let passes = |rows: usize| rows.div_ceil(budget.div_ceil(2));
            let bound =
                passes(own) + older.map(|older| passes(arrivals[older].2)).sum::<usize>();
            let took = done[index] - at;
            assert!(took <= bound, "{took} passes instead of {bound}: {index} of {arrivals:?}");
            longest = longest.max(took as f64 / bound as f64);
        }
    }
    println!("the longest wait is {longest:.2} of its bound");
    assert!(longest > 0.5, "the bound says little");
}

/// 40 ms a pass and 2.4 a row: in a gap of 150 ms there are 43 rows beside those who write, and 170 in a pass without them.
#[test]
fn a_short_prompt_waits_for_no_long_one() {
    let passes = |budget, arrivals: &[_]| *read(arrivals, budget).last().expect("the last one");
    for owner in [0, 1] {
        let behind_one = [(0, 0, 2000), (0, owner, 30)];
        assert!(passes(43, &behind_one) <= 3, "450 ms, owner {owner}");
        assert!(passes(170, &behind_one) <= 1, "450 ms while nobody writes, owner {owner}");
        let wait = |at| passes(43, &[(0, 0, 2000), (0, 0, 2000), (at, owner, 30)]) - at;
        let longest = (0..90).map(wait).max();
        assert!(longest <= Some(5), "behind two, of owner {owner}: {longest:?} passes");
    }
    // A flood of another key's prompts holds up neither a short one nor a long one.
    let flood = |owner, own| {
        let flood = (0..16).map(|_| (0, 0, 2000));
        passes(43, &flood.chain([(0, owner, own)]).collect::<Vec<_>>())
    };
    assert!(flood(1, 30) <= 3);
    assert!(flood(1, 1500) <= 75, "{}", flood(1, 1500));
    assert!(flood(0, 1500) > 300, "with the same key it waits its turn");
}
