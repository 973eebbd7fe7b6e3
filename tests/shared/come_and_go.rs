//! Texts that come, begin as others do and leave, with the model that only remembers.

use ground::random::SplitMix64;

pub use remembers::{Read, remember, remembering};
use remembers::{VOCAB, logits_of, remembered};

#[path = "remembers.rs"]
mod remembers;

/// After each of its tokens a text has the logits that it has alone. `find`: where a new one's rows are, of which some may be
/// there already; `pass`: the next rows of each text, or none where there is no room.
pub fn texts_come_and_go<T>(
    mut find: impl FnMut(&[(Vec<u32>, T)], &[u32]) -> T,
    mut pass: impl FnMut(&mut [(Vec<u32>, T)]) -> Vec<Option<Vec<Read>>>,
) {
    let random = &mut SplitMix64::new(9);
    let (mut texts, mut before, mut found) = (Vec::<(Vec<u32>, T)>::new(), Vec::new(), [0, 0]);
    for round in 0..1_500 {
        if texts.len() < 8 && random.below(3) == 0 {
            let mut ids: Vec<u32> = before;
            ids.truncate(random.below(ids.len() + 30));
            let count = 1 + random.below(90);
            ids.extend((0..count).map(|_| random.below(VOCAB - 1) as u32));
            before = ids.clone();
            let rows = find(&texts, &ids);
            texts.push((ids, rows));
        }
        let all = pass(&mut texts);
        for ((ids, _), read) in texts.iter_mut().zip(&all) {
            let logits = read.as_ref().map(|read| *read.last().expect("it had new tokens"));
            let Some(logits) = logits.map(|(hash, last)| logits_of(hash, last)) else {
                continue;
            };
            assert!(logits == remembered(ids), "round {round}, a text of {}", ids.len());
            let best = (0..VOCAB).max_by(|&a, &b| logits[a].total_cmp(&logits[b]));
            ids.push(best.expect("there are tokens") as u32);
        }
        let mut all = all.iter();
        texts.retain(|(ids, _)| {
            let has_room = all.next().is_some_and(Option::is_some);
            found[usize::from(has_room)] += 1;
            has_room && ids.len() < 300 && random.below(60) > 0
        });
    }
    assert!(found[0] > 0 && found[1] > 1_000, "{found:?}: without room, and with it");
}
