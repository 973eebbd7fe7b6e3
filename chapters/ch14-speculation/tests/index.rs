//! What is guessed, beside a search through the whole text; and how long a guess is.

use ch14_speculation::ngram_drafter::{Index, NgramDrafter};
use ground::random::SplitMix64;

/// Where the text went on after the same N tokens, by looking everywhere.
fn searched<const N: usize>(ids: &[u32]) -> Option<usize> {
    let last = ids.last_chunk::<N>()?;
    (N..ids.len()).rev().find(|&place| ids[..place].ends_with(last))
}

#[test]
fn an_index_finds_what_a_search_finds() {
    let (mut random, mut found) = (SplitMix64::new(14), 0);
    for _ in 0..300 {
        let (mut ids, mut three, mut four) =
            (Vec::new(), Index::<3>::default(), Index::<4>::default());
        while ids.len() < 120 {
            // As when a prompt comes in, and then token after token, or some at a time.
            ids.extend((0..=random.below(4)).map(|_| random.below(4) as u32));
            let places = (three.find(&ids), four.find(&ids));
            assert_eq!(places, (searched::<3>(&ids), searched::<4>(&ids)), "after {ids:?}");
            found += usize::from(places.1.is_some());
        }
    }
    assert!(found > 1000, "hardly anything occurs twice");
}

#[test]
fn who_is_right_guesses_more() {
    let mut ids: Vec<u32> = (0..200).chain(0..10).collect();
    let (mut drafter, mut lengths) = (NgramDrafter::default(), Vec::new());
    let mut next = |is_right: bool| {
        let draft = drafter.draft(&ids, usize::MAX);
        let place = ids[ids.len() - 1] + 1;
        assert_eq!(draft, (place..place + draft.len() as u32).collect::<Vec<_>>());
        lengths.push(draft.len());
        ids.extend(&draft);
        match is_right {
            true => ids.push(ids[ids.len() - 1] + 1),
            // Then it goes on somewhere else.
            false => {
                let elsewhere = 10 * lengths.len() as u32;
                ids.push(999);
                ids.extend(elsewhere..elsewhere + 4);
            }
        }
        if !draft.is_empty() {
            drafter.learn(draft.len(), if is_right { draft.len() } else { draft.len() - 1 });
        }
    };
    for is_right in [true; 6].into_iter().chain([false; 5]).chain([true; 2]) {
        next(is_right);
    }
    let expected = [0, 1, 3, 7, 15, 15, 15, 7, 3, 1, 0, 0, 1];
    assert_eq!(lengths, expected, "so many tokens are guessed, one time after the other");
    assert_eq!(drafter.draft(&ids, 2).len(), 2, "no more than is allowed");
    assert_eq!(drafter.draft(&ids[..100], 4), [0; 0], "nothing was there twice");
}
