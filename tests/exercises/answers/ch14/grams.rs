//? title: Where it went on the last time
//? page: ch14/guess.md
//? section: Where it went on
//? level: warm-up
//? minutes: 20
//? call: check(places)
//? hint 1: Write a text of ten letters down, with its places under it, and cover it with a sheet of paper. Uncover one letter after the other. What must you have noted by now, to say at a glance where the last three stood before, and what may you only note afterwards?
//? hint 2: Keep a map from three tokens to the place where the text went on after them. When n tokens are uncovered, the last three go on at place n, though nobody knows yet with what. So look first, and enter that afterwards.
//? hint 3: `HashMap::insert` does both: it enters a place and gives back the one that it replaces. For each n from 1 to the length, the key is `ids[..n].last_chunk::<3>()`, which is `None` for the first two.
//? why: The place after the last three tokens is always there to be found, and it's always useless: the text hasn't gone on yet. An index that looks first and enters afterwards
//?   can't make that mistake. The chapter's index enters late for the same reason: a place only when there's a token at it. And by replacing what was there,
//?   the map remembers the last time for free. How long the text is doesn't matter: each token costs one look. A search backwards
//?   is slowest in a text that never repeats itself, where there's nothing to gain.

// A text is written token by token. Say after each of its tokens where it went on *the last time*. The text so far ends in
// three tokens: find the last time before that these three came one after the other, and return the place of the token that
// followed them. Places count from 0.
//
// Return one answer for each token, in their order. It's `None` if the three tokens have never been there before, or if there
// aren't three yet. Each answer knows only what was written by then: the token that followed has to be there already.
//
// For `[1, 2, 3, 1, 2, 3, 1]` that's `[None, None, None, None, None, Some(3), Some(4)]`.

//-- solution
use std::collections::HashMap;

//-- end
pub fn places(ids: &[u32]) -> Vec<Option<usize>> {
    //-- starter
    // todo!()
    //-- solution
    let mut index = HashMap::new();
    // What `insert` returns is the place that was entered before.
    let after = |count: usize| index.insert(ids[..count].last_chunk::<3>()?, count);
    (1..=ids.len()).map(after).collect()
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::explained::{Mistake, as_written, ask_all};
    use exercise_kit::{Checked, Random};

    type Given = Vec<u32>;
    type Places = Vec<Option<usize>>;

    pub fn check(places: fn(&[u32]) -> Places) -> Checked {
        let case = |given: &Given| format!("the text {given:?}");
        let answer = |given: &Given| places(given);
        ask_all(given(), case, answer, right, &mistakes(), as_written)
    }

    /// The first ones can be written down.
    fn given() -> Vec<Given> {
        let mut given = vec![
            vec![],
            vec![1, 2, 3],
            vec![1, 2, 3, 1, 2, 3],
            vec![1, 2, 3, 4, 1, 2, 3, 5],
            vec![7, 7, 7, 7, 7],
            vec![1, 2, 3, 4, 1, 2, 3, 5, 1, 2, 3],
            vec![1, 2, 3, 3, 2, 1, 3, 1, 2, 1, 2, 3],
            vec![5, 1, 2, 6, 1, 2, 7, 1, 2],
        ];
        given.push((0..400).chain(390..400).collect());
        let mut random = Random::new(141);
        for _ in 0..200 {
            let (length, tokens) = (random.below(24), 1 + random.below(4));
            given.push((0..length).map(|_| random.below(tokens) as u32).collect());
        }
        // Ids that differ in one of their bits.
        for bit in 0..32 {
            let id = random.bits() as u32;
            given.push(vec![1, id, 2, 1, id ^ 1 << bit, 2, 1, id, 2]);
        }
        given
    }

    #[derive(Clone, Copy)]
    struct Way {
        /// Those of an id that are looked at.
        bits: u32,
        /// A place, how many tokens there are by now, and how many in the end.
        allowed: fn(usize, usize, usize) -> bool,
    }

    const RIGHT: Way = Way { bits: u32::MAX, allowed: |place, now, _| place < now };

    /// After each token, all places where the text goes on after tokens like its last ones.
    fn all_places(ids: &[u32], way: Way) -> Vec<Vec<usize>> {
        let after = |now: usize| {
            let Some(last) = ids[..now].last_chunk::<3>() else { return Vec::new() };
            let goes_on = |place: &usize| {
                let mut both = ids[place - 3..*place].iter().zip(last);
                (way.allowed)(*place, now, ids.len())
                    && both.all(|(a, b)| (a ^ b) & way.bits == 0)
            };
            (3..=ids.len()).filter(goes_on).collect()
        };
        (1..=ids.len()).map(after).collect()
    }

    fn last_places(ids: &[u32], way: Way) -> Places {
        all_places(ids, way).iter().map(|places| places.last().copied()).collect()
    }

    fn right(ids: &Given) -> Places {
        last_places(ids, RIGHT)
    }

    fn mistakes() -> Vec<Mistake<Given, Places>> {
        let narrow = "an id has 32 bits: here two that differ are taken for one";
        vec![
            (
                "the last three tokens find themselves, and nothing has followed them yet",
                |ids| last_places(ids, Way { allowed: |place, now, _| place <= now, ..RIGHT }),
            ),
            ("the last time counts, and this was the first", |ids| {
                all_places(ids, RIGHT).iter().map(|places| places.first().copied()).collect()
            }),
            ("this is where the three tokens begin, and what followed them is wanted", |ids| {
                right(ids).into_iter().map(|place| Some(place? - 3)).collect()
            }),
            ("two places may have tokens in common: 7 7 7 7 has 7 7 7 twice", |ids| {
                last_places(ids, Way { allowed: |place, now, _| place + 3 <= now, ..RIGHT })
            }),
            ("this had not been written yet: an answer knows only the tokens so far", |ids| {
                last_places(ids, Way { allowed: |place, _, whole| place < whole, ..RIGHT })
            }),
            (narrow, |ids| last_places(ids, Way { bits: 0xffff, ..RIGHT })),
            (narrow, |ids| last_places(ids, Way { bits: 0x1f_ffff, ..RIGHT })),
        ]
    }
}
