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
    use exercise_kit::explained::{Mistake, as_written, ask_all};
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
            format!("blocks {blocks:?}, text {index} wants {wanted}, {free} are free")
        };
        let answer = |g: &Given| who_gives(&g.blocks, g.index, g.free, g.wanted);
        ask_all(given(), case, answer, right, &mistakes(), as_written)
    }

    /// The first ones can be drawn.
    fn given() -> Vec<Given> {
        let of = |blocks: &[usize], index, free, wanted| Given {
            blocks: blocks.to_vec(),
            index,
            free,
            wanted,
        };
        let mut given = vec![
            of(&[3], 0, 1, 1),
            of(&[3], 0, 0, 1),
            of(&[3, 2], 0, 0, 1),
            of(&[3, 2], 1, 0, 1),
            of(&[3, 2, 1], 0, 0, 1),
            of(&[3, 2, 0, 1, 0], 0, 0, 2),
            of(&[3, 2, 1], 0, 1, 3),
            of(&[3, 2, 1], 1, 0, 2),
            of(&[3, 2, 1], 0, 2, 1),
        ];
        let mut random = Random::new(132);
        for number in 0..200 {
            let count = 1 + random.below(6);
            // More than sixteen bits hold, too.
            let size = [1, 30_000][number % 2];
            given.push(Given {
                blocks: (0..count).map(|_| size * random.below(4)).collect(),
                index: random.below(count),
                free: size * random.below(3),
                wanted: size * (1 + random.below(6)),
            });
        }
        given
    }

    /// Takes from these texts in their order, until it's enough.
    #[derive(Clone, Copy)]
    struct Way {
        order: fn(usize, usize) -> Vec<usize>,
        also_who_has_nothing: bool,
        in_vain: bool,
        goes_on: bool,
    }

    const RIGHT: Way = Way {
        order: |index, count| (index + 1..count).rev().collect(),
        also_who_has_nothing: false,
        in_vain: false,
        goes_on: false,
    };

    fn gives(given: &Given, way: Way) -> Gives {
        let mut have = given.free;
        let mut gives = Vec::new();
        for text in (way.order)(given.index, given.blocks.len()) {
            if have >= given.wanted && !way.goes_on {
                break;
            }
            if given.blocks[text] > 0 || way.also_who_has_nothing {
                have += given.blocks[text];
                gives.push(text);
            }
        }
        (have >= given.wanted || way.in_vain).then_some(gives)
    }

    fn right(given: &Given) -> Gives {
        gives(given, RIGHT)
    }

    fn mistakes() -> Vec<Mistake<Given, Gives>> {
        vec![
            ("the youngest gives first: it has the least to compute again", |g| {
                gives(g, Way { order: |index, count| (index + 1..count).collect(), ..RIGHT })
            }),
            ("an older text never gives to a younger one", |g| {
                let order =
                    |index, count| (0..count).rev().filter(|text| *text != index).collect();
                gives(g, Way { order, ..RIGHT })
            }),
            ("the text gives to itself: its rows are what it wants to go on from", |g| {
                gives(g, Way { order: |index, count| (index..count).rev().collect(), ..RIGHT })
            }),
            ("a text is named that has nothing to give", |g| {
                gives(g, Way { also_who_has_nothing: true, ..RIGHT })
            }),
            ("all of it is not enough, and they have lost their rows in vain", |g| {
                gives(g, Way { in_vain: true, ..RIGHT })
            }),
            ("some give that are no longer needed", |g| {
                gives(g, Way { goes_on: true, ..RIGHT })
            }),
        ]
    }
}
