//? title: How much of a cache serves another text
//? page: ch07/kept.md
//? section: A cache and its tokens
//? level: warm-up
//? minutes: 10
//? call: check(kept)
//? hint 1: Write two short texts under each other, and cross out every row that saw another id before it. Then let the second text be a beginning of the first: which id is the last one that still has to be computed?
//? hint 2: Go through both at once, and stop at the first two ids that differ, or where one of them ends. Then there is a limit that depends on the new text alone, and a text may be empty.
//? hint 3: `held.iter().zip(ids).take_while(|(a, b)| a == b).count()` is the common beginning. The limit is `ids.len().saturating_sub(1)`, and the result is the smaller of the two.
//? why: `zip` ends with the shorter of the two, and `take_while` at the first difference: neither asks for an id that is not
//?   there. What comes out of a forward pass are the logits of the last id, and the cache keeps keys and values only. So at
//?   least one id has to be computed. The limit is one less than the text, and not one less than what is common: where the
//?   texts part earlier, all that is common stays. An empty text has nothing to keep, and `saturating_sub` ends at 0.

// A cache has one row for each id of `held`. Now the logits after the text `ids` are wanted. Most of it may be in the cache
// already: what comes after is another question, or the last turn was taken back, or somebody has changed a word.
//
// Return how many rows of the cache can be kept, as many as possible:
//
// - A row was made from its own id and from all ids before it. It can be kept if these are the ids of the new text, at the
//   same positions. Nothing moves: a row stays where it is, or it is cut off.
// - The last id of the new text is always computed, even if the cache has its row. Its logits are wanted, and a cache has
//   only keys and values.
//
// Either may be longer than the other, and either may be empty. Of an empty text nothing is kept.

// held, ids: any length, any ids
pub fn kept(held: &[u32], ids: &[u32]) -> usize {
    //-- starter
    // todo!()
    //-- solution
    let common = held.iter().zip(ids).take_while(|(a, b)| a == b).count();
    common.min(ids.len().saturating_sub(1))
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::explained::{as_written, ask_in_turn};
    use exercise_kit::{Checked, Random};

    /// What the cache holds, and the text.
    type Given = (Vec<u32>, Vec<u32>);

    pub fn check(kept: fn(&[u32], &[u32]) -> usize) -> Checked {
        let case = |(held, ids): &Given| match held.len() + ids.len() {
            0..100 => format!("the cache holds {held:?}, the text is {ids:?}"),
            _ => format!("the cache holds {} ids, the text has {}", held.len(), ids.len()),
        };
        let answer = |(held, ids): &Given| kept(held, ids);
        ask_in_turn(given(), case, answer, by_counting, as_written)
    }

    fn by_counting((held, ids): &Given) -> usize {
        let mut kept = 0;
        while kept + 1 < ids.len() && held.get(kept) == Some(&ids[kept]) {
            kept += 1;
        }
        kept
    }

    /// One can count the first ones on the fingers, and in each, one thing more can go wrong. Then come ids that differ in one of
    /// their bits, all pairs of very short texts of two ids, and random ones.
    fn given() -> Vec<(&'static str, Given)> {
        let pairs: [(&str, &[u32], &[u32]); 5] = [
            (
                "that is one row less than it could be: the last id of the text is held back, and where the texts part before it, nothing has to be",
                &[7, 3, 9],
                &[7, 3, 5],
            ),
            (
                "one text may be a beginning of the other: then no id differs, and the shorter one is common as a whole",
                &[7, 3],
                &[7, 3, 9],
            ),
            (
                "the last id is always computed: if all of the text is kept, there are no logits",
                &[7, 3],
                &[7, 3],
            ),
            (
                "after the first difference nothing can be kept: equal ids there have other rows, made from another past",
                &[7, 3, 9],
                &[7, 5, 9, 4],
            ),
            ("an empty text has no last id: its length minus 1 is below 0", &[7], &[]),
        ];
        let mut all: Vec<(&str, Given)> =
            pairs.map(|(likely, held, ids)| (likely, (held.into(), ids.into()))).into();
        let mut random = Random::new(71);
        for bit in 0..32 {
            let id = random.bits() as u32;
            let narrow = "an id may be above what so few bits can hold: all 32 of them count";
            all.push((narrow, (vec![id, 3], vec![id ^ 1 << bit, 3, 9])));
        }
        let text_of = |bits: u32, length: usize| (0..length).map(|i| bits >> i & 1).collect();
        let texts = |length: usize| (0..1 << length).map(move |bits| text_of(bits, length));
        let texts: Vec<Vec<u32>> = (0..5).flat_map(texts).collect();
        for held in &texts {
            all.extend(texts.iter().map(|ids| ("", (held.clone(), ids.clone()))));
        }
        for _ in 0..300 {
            let mut text = |most| {
                let length = random.below(most);
                (0..length).map(|_| random.below(2) as u32).collect::<Vec<u32>>()
            };
            let (common, held, ids) = (text(12), text(8), text(8));
            all.push(("", ([&common[..], &held].concat(), [&common[..], &ids].concat())));
        }
        let long: Vec<u32> = (0..200_000).map(|i| i * 7 % 151_936).collect();
        all.push(("", (long.clone(), long)));
        all
    }
}
