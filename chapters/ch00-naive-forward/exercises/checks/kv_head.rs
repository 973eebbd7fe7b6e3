use exercise_kit::{Checked, call_or, same};
use std::ops::Range;

pub fn check(answer: impl Fn(usize, usize, usize) -> Option<Range<usize>>) -> Checked {
    // The judged ones first, then a head too many, and numbers that do not divide.
    for (heads, kv_heads) in [
        (12, 2),
        (16, 8),
        (6, 6),
        (8, 1),
        (14, 4),
        (2, 4),
        (8, 0),
        (1024, 512),
        (131_072, 65_536),
    ] {
        for kv_head in (0..kv_heads + 1).take(600).chain([40_000, usize::MAX]) {
            let case =
                format!("key-value head {kv_head} of {kv_heads}, with {heads} query heads");
            let even = kv_heads > 0 && heads % kv_heads == 0;
            let group = if even { heads / kv_heads } else { 1 };
            let next = kv_head.wrapping_add(1);
            let grouped = |group: usize| kv_head.wrapping_mul(group)..next.wrapping_mul(group);
            let right = (even && kv_head < kv_heads).then(|| grouped(group));
            let panic = match (even, kv_head < kv_heads) {
                (false, _) => {
                    "heads that cannot be shared out evenly: None, without a division by zero"
                }
                (true, false) => {
                    "a head that is not there: its range need not even fit in a usize"
                }
                _ => "divided by kv_heads / heads, which is 0",
            };
            let found = call_or(&case, format!("{right:?}"), panic, || {
                answer(kv_head, heads, kv_heads)
            })?;
            let floor = heads / kv_heads.max(1);
            let mistakes = [
                (
                    "there is no such head, and a range came back",
                    (right.is_none() && even).then(|| grouped(group)),
                ),
                (
                    "the heads cannot be shared out evenly: None",
                    right.is_none().then(|| grouped(floor)),
                ),
                (
                    "a range ends after its last number: the last head of the group is missing",
                    right.clone().map(|r| r.start..r.end - 1),
                ),
                (
                    "the groups overlap: each begins one head after the one before",
                    right.clone().map(|_| kv_head..kv_head + group),
                ),
                (
                    "the group has as many query heads as there are key-value heads: how many share one?",
                    right.clone().map(|_| kv_head * kv_heads..(kv_head + 1) * kv_heads),
                ),
                (
                    "one query head for each key-value head; in grouped-query attention they share",
                    right.clone().map(|_| kv_head..kv_head + 1),
                ),
                (
                    "a byte does not hold the number of every head: count in usize",
                    right.clone().map(|r| usize::from(r.start as u8)..usize::from(r.end as u8)),
                ),
                (
                    "16 bits do not hold the number of every head: count in usize",
                    right.clone().map(|r| {
                        let start = usize::from(r.start as u16);
                        start..start + group
                    }),
                ),
                (
                    "counted from 1: the first group begins at query head 0",
                    right.clone().map(|r| r.start + 1..r.end + 1),
                ),
            ];
            let mistakes: Vec<_> =
                mistakes.into_iter().filter(|(_, wrong)| wrong.is_some()).collect();
            same(&case, &right, &found, &mistakes)?;
        }
    }
    Ok(())
}
