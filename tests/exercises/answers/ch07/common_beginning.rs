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
    use exercise_kit::explained::{Answered, Mistake, explained};
    use exercise_kit::{Checked, Random, call};

    /// What the cache holds, and the text.
    type Given = (Vec<u32>, Vec<u32>);

    pub fn check(kept: fn(&[u32], &[u32]) -> usize) -> Checked {
        let mut all = Vec::new();
        for (held, ids) in short_ones() {
            let case = format!("the cache holds {held:?}, the text is {ids:?}");
            all.push(answered(kept, case, (held, ids))?);
        }
        explained(&all, by_counting, &mistakes(), show)?;
        all.clear();
        for (case, held, ids) in long_ones() {
            all.push(answered(kept, case.into(), (held, ids))?);
        }
        explained(&all, by_counting, &mistakes_of_long_ones(), show)
    }

    fn answered(
        kept: impl Fn(&[u32], &[u32]) -> usize,
        case: String,
        given: Given,
    ) -> Result<Answered<Given, usize>, exercise_kit::Failure> {
        let found = call(&case, || kept(&given.0, &given.1)).map_err(|failure| {
            let expected = by_counting(&given).to_string();
            let failure = exercise_kit::Failure { expected, ..failure };
            match &failure.found {
                found if found.contains("out of bounds") || found.contains("out of range") => {
                    failure.likely("cache and text need not be equally long: one ends first")
                }
                found if found.contains("subtract with overflow") => failure
                    .likely("an empty text has no last id: its length minus 1 is below 0"),
                _ => failure,
            }
        })?;
        Ok(Answered { case, given, found })
    }

    fn show(expected: &usize, found: &usize) -> (String, String) {
        (expected.to_string(), found.to_string())
    }

    fn by_counting((held, ids): &Given) -> usize {
        let mut kept = 0;
        while kept + 1 < ids.len() && held.get(kept) == Some(&ids[kept]) {
            kept += 1;
        }
        kept
    }

    /// One can count these on the fingers; then all pairs of very short texts of two ids, and random ones.
    fn short_ones() -> Vec<Given> {
        let pairs: [(&[u32], &[u32]); 14] = [
            (&[7, 3, 9, 4], &[7, 3, 5, 4, 8]),
            (&[7, 3, 9], &[7, 3, 9, 4, 8]),
            (&[7, 3, 9, 4, 8], &[7, 3, 9, 4, 8]),
            (&[7, 3, 9, 4, 8], &[7, 3, 9]),
            (&[7, 3, 9], &[3, 9, 7]),
            (&[], &[7, 3, 9]),
            (&[7, 3, 9], &[]),
            (&[], &[]),
            (&[7], &[7]),
            (&[7, 3], &[7]),
            (&[7], &[7, 3]),
            (&[65_543, 3], &[7, 3, 9]),
            (&[16_777_217, 3], &[16_777_216, 3, 9]),
            (&[7 << 29, 3], &[7 << 28, 3, 9]),
        ];
        let mut all: Vec<Given> = pairs.map(|(held, ids)| (held.into(), ids.into())).into();
        let texts = |length: usize| (0..1 << length).map(move |bits| text_of(bits, length));
        let texts: Vec<Vec<u32>> = (0..5).flat_map(texts).collect();
        for held in &texts {
            all.extend(texts.iter().map(|ids| (held.clone(), ids.clone())));
        }
        let mut random = Random::new(71);
        for _ in 0..300 {
            let mut text = |most| {
                let length = random.below(most);
                (0..length).map(|_| random.below(2) as u32).collect::<Vec<u32>>()
            };
            let (common, held, ids) = (text(12), text(8), text(8));
            all.push(([&common[..], &held].concat(), [&common[..], &ids].concat()));
        }
        all
    }

    fn text_of(bits: u32, length: usize) -> Vec<u32> {
        (0..length).map(|i| bits >> i & 1).collect()
    }

    fn long_ones() -> Vec<(&'static str, Vec<u32>, Vec<u32>)> {
        let text: Vec<u32> = (0..200_000).map(|i| i * 7 % 151_936).collect();
        let mut changed = text.clone();
        changed[131_072 + 5] += 1;
        vec![
            ("200,000 ids, in the cache and in the text", text.clone(), text.clone()),
            ("the cache holds 200,000 ids, one of which was changed", changed, text.clone()),
            (
                "the cache holds 200,000 ids, the text is the first 65,540",
                text.clone(),
                text[..65_540].into(),
            ),
            ("the cache holds the first 65,536 ids of 200,000", text[..65_536].into(), text),
        ]
    }

    fn common((held, ids): &Given) -> usize {
        held.iter().zip(ids).take_while(|(a, b)| a == b).count()
    }

    /// One less than the text.
    fn limit((_, ids): &Given) -> usize {
        ids.len().saturating_sub(1)
    }

    fn first_difference((held, ids): &Given) -> Option<usize> {
        held.iter().zip(ids).position(|(a, b)| a != b)
    }

    fn mistakes() -> Vec<Mistake<Given, usize>> {
        let parted = "after the first difference nothing can be kept: equal ids there have other rows, made from another past";
        vec![
            (
                "the last id is always computed: if all of the text is kept, there are no logits",
                common,
            ),
            (
                "the cache may also hold more than the text: then too the last id is still to be computed",
                |g| if g.0 == g.1 { limit(g) } else { common(g) },
            ),
            (
                "that is one row less than it could be: the last id of the text is held back, and where the texts part before it, nothing has to be",
                |g| common(g).saturating_sub(1),
            ),
            ("the last id of the text is held back, and not the last one in the cache", |g| {
                common(g).min(g.0.len().saturating_sub(1))
            }),
            (
                "this is not all or nothing: of a cache of which a part is common, that part is kept",
                |g| if g.1.starts_with(&g.0) { g.0.len().min(limit(g)) } else { 0 },
            ),
            (parted, |(held, ids)| {
                let equal = held.iter().zip(ids).filter(|(a, b)| a == b).count();
                equal.min(ids.len().saturating_sub(1))
            }),
            (
                "one text may be a beginning of the other: then no id differs, and the shorter one is common as a whole",
                |g| first_difference(g).unwrap_or(0).min(limit(g)),
            ),
            ("the cache cannot keep more rows than it holds, or than the text has", |g| {
                first_difference(g).unwrap_or(g.1.len()).min(limit(g))
            }),
            (
                "the texts are compared from the beginning: their ends have other positions",
                |g| {
                    let end =
                        g.0.iter().rev().zip(g.1.iter().rev()).take_while(|(a, b)| a == b);
                    end.count().min(limit(g))
                },
            ),
            (
                "what is common must begin at position 0: elsewhere the rows have another past",
                longest_run,
            ),
            ("the row of the first id that differs cannot be kept", |g| {
                let both = g.0.len().min(g.1.len());
                first_difference(g).map_or(both, |at| at + 1).min(limit(g))
            }),
            ("these are the ids left to compute: the rows that are kept are asked for", |g| {
                g.1.len() - by_counting(g)
            }),
            ("an id may be above 65,535: it needs more than 16 bits", |(held, ids)| {
                let same = held.iter().zip(ids).take_while(|(a, b)| **a as u16 == **b as u16);
                same.count().min(ids.len().saturating_sub(1))
            }),
            ("an id may be above 2^24: an f32 does not hold every one", |(held, ids)| {
                let same = held.iter().zip(ids).take_while(|(a, b)| **a as f32 == **b as f32);
                same.count().min(ids.len().saturating_sub(1))
            }),
            ("an id has 32 bits, and all of them count", |(held, ids)| {
                let same = held.iter().zip(ids).take_while(|(a, b)| **a << 8 == **b << 8);
                same.count().min(ids.len().saturating_sub(1))
            }),
            (
                "halving needs an order, and there is no order: after the first difference ids may be equal again",
                halving,
            ),
        ]
    }

    fn longest_run(given: &Given) -> usize {
        let (held, ids) = given;
        let run = |(a, b): (usize, usize)| common(&(held[a..].into(), ids[b..].into()));
        let starts = (0..held.len()).flat_map(|a| (0..ids.len()).map(move |b| (a, b)));
        starts.map(run).max().unwrap_or(0).min(limit(given))
    }

    fn halving(given: &Given) -> usize {
        let (held, ids) = given;
        let (mut low, mut high) = (0, held.len().min(ids.len()));
        while low < high {
            let middle = (low + high) / 2;
            if held[middle] == ids[middle] { low = middle + 1 } else { high = middle }
        }
        low.min(limit(given))
    }

    fn mistakes_of_long_ones() -> Vec<Mistake<Given, usize>> {
        vec![(
            "a context may have more than 65,535 positions: a count needs more than 16 bits",
            |g| by_counting(g) % 65_536,
        )]
    }
}
