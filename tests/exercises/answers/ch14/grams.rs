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
    use exercise_kit::explained::{Answered, Mistake, explained};
    use exercise_kit::{Checked, Failure, Random, call};

    type Given = Vec<u32>;
    type Places = Vec<Option<usize>>;

    pub fn check(places: fn(&[u32]) -> Places) -> Checked {
        let mut all = Vec::new();
        for given in given() {
            let case = format!("the text {given:?}");
            let found = call(&case, || places(&given)).map_err(|failure| Failure {
                expected: format!("{:?}", right(&given)),
                ..failure
            })?;
            all.push(Answered { case, given, found });
        }
        explained(&all, right, &mistakes(), |expected, found| {
            (format!("{expected:?}"), format!("{found:?}"))
        })
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
        let mut random = Random::new(141);
        for _ in 0..200 {
            let (length, tokens) = (random.below(24), 1 + random.below(4));
            given.push((0..length).map(|_| random.below(tokens) as u32).collect());
        }
        given
    }

    #[derive(Clone, Copy)]
    struct Way {
        tokens: usize,
        alike: fn(&[u32], &[u32]) -> bool,
        /// A place, how many tokens there are by now, and how many in the end.
        allowed: fn(usize, usize, usize) -> bool,
    }

    const RIGHT: Way = Way {
        tokens: 3,
        alike: |before, last| before == last,
        allowed: |place, now, _| place < now,
    };

    /// After each token, all places where the text goes on after tokens like its last ones.
    fn all_places(ids: &[u32], way: Way) -> Vec<Vec<usize>> {
        let after = |now: usize| {
            let Some(begin) = now.checked_sub(way.tokens) else { return Vec::new() };
            let goes_on = |place: &usize| {
                let before = &ids[place - way.tokens..*place];
                (way.allowed)(*place, now, ids.len()) && (way.alike)(before, &ids[begin..now])
            };
            (way.tokens..=ids.len()).filter(goes_on).collect()
        };
        (1..=ids.len()).map(after).collect()
    }

    fn last_places(ids: &[u32], way: Way) -> Places {
        all_places(ids, way).iter().map(|places| places.last().copied()).collect()
    }

    fn right(ids: &Given) -> Places {
        last_places(ids, RIGHT)
    }

    /// The right places, and then so many tokens back.
    fn back(ids: &Given, by: usize) -> Places {
        right(ids).into_iter().map(|place| Some(place? - by)).collect()
    }

    fn sorted(tokens: &[u32]) -> Vec<u32> {
        let mut sorted = tokens.to_vec();
        sorted.sort_unstable();
        sorted
    }

    fn mistakes() -> Vec<Mistake<Given, Places>> {
        vec![
            (
                "the last three tokens find themselves, and nothing has followed them yet",
                |ids| last_places(ids, Way { allowed: |place, now, _| place <= now, ..RIGHT }),
            ),
            ("the last time counts, and this was the first", |ids| {
                all_places(ids, RIGHT).iter().map(|places| places.first().copied()).collect()
            }),
            ("only two tokens are the same here, and three have to be", |ids| {
                last_places(ids, Way { tokens: 2, ..RIGHT })
            }),
            ("this is where the three tokens begin, and what followed them is wanted", |ids| {
                back(ids, 3)
            }),
            (
                "this is the third of the three tokens, and what followed them is wanted",
                |ids| back(ids, 1),
            ),
            ("two places may have tokens in common: 7 7 7 7 has 7 7 7 twice", |ids| {
                last_places(ids, Way { allowed: |place, now, _| place + 3 <= now, ..RIGHT })
            }),
            ("this had not been written yet: an answer knows only the tokens so far", |ids| {
                last_places(ids, Way { allowed: |place, _, whole| place < whole, ..RIGHT })
            }),
            ("these are the same tokens in another order", |ids| {
                let alike = |before: &[u32], last: &[u32]| sorted(before) == sorted(last);
                last_places(ids, Way { alike, ..RIGHT })
            }),
            (
                "one answer for each token is wanted, the first one after the first token",
                |ids| [vec![None], right(ids)].concat(),
            ),
        ]
    }
}
