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
    use exercise_kit::explained::ask_each;
    use exercise_kit::{Checked, Random};

    type Places = Vec<Option<usize>>;

    const BEGIN: &str =
        "this is where the three tokens begin, and what followed them is wanted";

    pub fn check(places: fn(&[u32]) -> Places) -> Checked {
        let case = |(_, text): &(&str, Vec<u32>)| {
            format!("{} tokens, {:?}", text.len(), &text[..text.len().min(40)])
        };
        let differs = |expected: &Places, found: &Places| {
            let same = expected.iter().zip(found).take_while(|(a, b)| a == b).count();
            (same, expected.get(same).copied(), found.get(same).copied())
        };
        let likely =
            |(likely, _): &(&'static str, _), expected: &Places, found: Option<&Places>| {
                match found.map(|found| differs(expected, found)) {
                    Some((_, Some(None), Some(Some(_)))) if *likely == BEGIN => {
                        "this had not been written yet: an answer knows only the tokens so far"
                    }
                    _ => likely,
                }
            };
        let right = |(_, text): &(&str, Vec<u32>)| right(text);
        ask_each(
            given(),
            case,
            |(_, text)| places(text),
            right,
            likely,
            |expected, found| {
                let (same, right, wrong) = differs(expected, found);
                let told = |length, of| format!("{length} places, after token {same}: {of:?}");
                (told(expected.len(), right), told(found.len(), wrong))
            },
        )
    }

    /// The first ones can be written down. In each, one thing more can go wrong.
    fn given() -> Vec<(&'static str, Vec<u32>)> {
        let mut given = vec![
            ("", vec![]),
            (
                "the last three tokens find themselves, and nothing has followed them yet",
                vec![1, 2, 3],
            ),
            (BEGIN, vec![1, 2, 3, 1, 2, 3]),
            ("two places may have tokens in common: 7 7 7 7 has 7 7 7 twice", vec![7; 4]),
            ("the last time counts, and this was the first", [1, 2, 3].repeat(3)),
        ];
        given.push(("", (0..400).chain(390..400).collect()));
        // The three are further apart than sixteen bits say, and so is what comes between them.
        given.push(("", [&[7, 8, 9][..], &[0; 70_000], &[7, 8, 9]].concat()));
        let mut random = Random::new(141);
        for bit in 0..32 {
            let id = random.bits() as u32;
            let narrow = "an id has 32 bits: here two that differ are taken for one";
            // Each of the three in turn.
            for at in 0..3 {
                let mut text = vec![1, 2, 3, id, 5, 1, 2, 3, id, 5];
                let place = 1 + at;
                text.swap(3, place);
                text.swap(8, place + 5);
                text[place + 5] ^= 1 << bit;
                given.push((narrow, text));
            }
        }
        for round in 0..200 {
            let length = if round == 199 { 70_000 } else { random.below(24) };
            let tokens = 1 + random.below(4);
            given.push(("", (0..length).map(|_| random.below(tokens) as u32).collect()));
        }
        given
    }

    /// Looks back from each token.
    fn right(ids: &[u32]) -> Places {
        let after = |now: usize| {
            let last = ids[..now].last_chunk::<3>()?;
            (3..now).rev().find(|&place| ids[place - 3..place] == *last)
        };
        (1..=ids.len()).map(after).collect()
    }
}
