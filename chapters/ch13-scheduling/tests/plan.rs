//! The plan of a pass is arithmetic with a few numbers for each text, so it's tried a million times.

use ch13_scheduling::kernels::BLOCK_SIZE;
use ch13_scheduling::schedule::{Standing, rows};
use ground::random::SplitMix64;

/// Some write, some have just begun, some stand in the middle of a block or at its edge.
fn texts(random: &mut SplitMix64) -> Vec<Standing> {
    let text = |random: &mut SplitMix64| {
        let computed = [0, 1, BLOCK_SIZE - 1, BLOCK_SIZE, random.below(1000)][random.below(5)];
        let lacks = [1, 1, 2, BLOCK_SIZE, 1 + random.below(1000)][random.below(5)];
        Standing { known: computed + lacks, computed }
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
            let takes_all = rows == rest && end - end % BLOCK_SIZE <= text.computed;
            let stops_at_a_block = end % BLOCK_SIZE == 0 && rest - rows < BLOCK_SIZE;
            let stops = end == text.known || takes_all || stops_at_a_block;
            assert!(stops, "at a block's end, {}", what());
            rest -= rows;
        }
    }
}
