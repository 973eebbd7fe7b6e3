//? title: Who gives back
//? page: ch13/room.md
//? section: Who gives
//? level: core
//? minutes: 25
//? call: check(who_gives)
//? hint 1: Write the texts in a row, the oldest on the left, and put a finger on the one that needs blocks. On which side of the finger may anybody lose something, and at which end do you begin?
//? hint 2: Count what there is: what's free, then what each one gives back, from the right. Stop as soon as it's enough, also if that is at once. A text that has nothing can't give.
//? hint 3: `for text in (index + 1..blocks.len()).rev()`, with `have` beginning at `free`. In the end `have >= wanted` says whether it was any use, and if not, the list mustn't be returned.
//? why: The order is what makes a full room safe. Whoever is older gets on at the cost of whoever is younger, never the other way round, so the oldest always gets to
//?   its end, and then there's a new oldest. If two texts could take from each other, they might do so for ever, each computing the rows again that the other one
//?   has just thrown away. That's called a livelock: everybody is busy and nothing is done. Taking from the youngest first also loses the least, for it has the
//?   least to compute again. And taking in vain would be the worst: two have lost their rows and none has got on. (Our engine does take in vain, now and then, when it finds out too late that
//?   it isn't enough. What was taken stays in the tree, so it costs little.)

// Some texts are running, the oldest first; `blocks[text]` is how many blocks each would give back if it lost its rows. Text
// `index` needs `wanted` more blocks, and `free` are free.
//
// Return the texts that lose their rows for it, in the order in which they do:
//
// - only those that are younger than it, the youngest first;
// - none that has nothing to give;
// - none that isn't needed any more.
//
// If even all of them together don't give enough, nobody loses anything, and the answer is `None`. If nobody needs to lose
// anything, it's an empty list.

pub fn who_gives(
    blocks: &[usize],
    index: usize,
    free: usize,
    wanted: usize,
) -> Option<Vec<usize>> {
    //-- starter
    // todo!()
    //-- solution
    let (mut have, mut gives) = (free, Vec::new());
    for text in (index + 1..blocks.len()).rev() {
        if have >= wanted {
            break;
        }
        if blocks[text] > 0 {
            have += blocks[text];
            gives.push(text);
        }
    }
    (have >= wanted).then_some(gives)
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::explained::{as_written, ask_in_turn};
    use exercise_kit::{Checked, Random};

    struct Given {
        blocks: Vec<usize>,
        index: usize,
        free: usize,
        wanted: usize,
    }

    type Gives = Option<Vec<usize>>;

    pub fn check(who_gives: fn(&[usize], usize, usize, usize) -> Gives) -> Checked {
        let case = |Given { blocks, index, free, wanted }: &Given| {
            let (count, blocks) = (blocks.len(), &blocks[..blocks.len().min(20)]);
            format!(
                "{count} texts, blocks {blocks:?}, text {index} wants {wanted}, {free} are free"
            )
        };
        let answer = |g: &Given| who_gives(&g.blocks, g.index, g.free, g.wanted);
        ask_in_turn(given(), case, answer, right, as_written)
    }

    /// The first ones can be drawn. In each, one thing more can go wrong.
    fn given() -> Vec<(&'static str, Given)> {
        let of = |likely, blocks: &[usize], index, free, wanted| {
            (likely, Given { blocks: blocks.to_vec(), index, free, wanted })
        };
        let mut given = vec![
            of("", &[3], 0, 1, 1),
            of("some give that are no longer needed", &[0, 2], 0, 1, 1),
            of(
                "all of it is not enough, and they have lost their rows in vain",
                &[0, 2],
                0,
                0,
                3,
            ),
            of("an older text never gives to a younger one", &[2, 0], 1, 0, 1),
            of(
                "the text gives to itself: its rows are what it wants to go on from",
                &[2],
                0,
                0,
                1,
            ),
            of("a text is named that has nothing to give", &[0, 2, 0], 0, 0, 1),
            of(
                "the youngest gives first: it has the least to compute again",
                &[0, 2, 2],
                0,
                0,
                1,
            ),
        ];
        let mut random = Random::new(132);
        for round in 0..300 {
            let count = 1 + random.below(if round < 290 { 6 } else { 70_000 });
            let scale = if round % 2 == 0 { 1 } else { 40_000 };
            let mut below = |most: usize| random.below(most) * scale;
            let blocks: Vec<usize> = (0..count).map(|_| below(4)).collect();
            let wanted = 1 + below(1 + count * 3 / 2);
            let (free, index) = (below(3), random.below(count));
            given.push(("", Given { blocks, index, free, wanted }));
        }
        given
    }

    /// As few of the last ones as are enough.
    fn right(Given { blocks, index, free, wanted }: &Given) -> Gives {
        let have = |from: usize| free + blocks[from..].iter().sum::<usize>();
        let (mut low, mut high) = (index + 1, blocks.len() + 1);
        if have(low) < *wanted {
            return None;
        }
        while low + 1 < high {
            let middle = (low + high) / 2;
            if have(middle) >= *wanted { low = middle } else { high = middle }
        }
        Some((low..blocks.len()).rev().filter(|text| blocks[*text] > 0).collect())
    }
}
