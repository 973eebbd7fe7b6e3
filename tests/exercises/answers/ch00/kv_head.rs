//? title: Which query heads read a key-value head
//? page: ch00/attention.md
//? section: Heads that share
//? level: warm-up
//? minutes: 10
//? call: check(readers)
//? hint 1: The page goes from a query head to the key-value head that it reads. With 16 query heads and 8 key-value heads, which two read number 3?
//? hint 2: All groups have `heads / kv_heads` query heads, and they follow one another. When is that no whole number, and when is there no such group?
//? hint 3: `let group = heads / kv_heads;` and then `Some(kv_head * group..(kv_head + 1) * group)`, after `None` for a `kv_head` that is too large and for a remainder.
//? why: This is the rule of the page, read from the other side. Head h reads key-value head h / group, so head number g is
//?   read by all h from g * group up to the next group. The tests come first because a file may state any numbers. With 14
//?   query heads and 4 key-value heads some query heads would belong to no group, and nothing would fail.

// Grouped-query attention, from the other side: `heads` query heads share `kv_heads` key-value heads, in groups of
// neighbours of the same size, as on the page.
//
// Return the query heads that read key-value head `kv_head`, as a range: the first one, and the one after the last. Return
// `None` if there is no such head, or if the heads cannot be shared out evenly. It never panics.

use std::ops::Range;

pub fn readers(kv_head: usize, heads: usize, kv_heads: usize) -> Option<Range<usize>> {
    //-- starter
    // todo!()
    //-- solution
    if kv_head >= kv_heads || !heads.is_multiple_of(kv_heads) {
        return None;
    }
    let group = heads / kv_heads;
    Some(kv_head * group..(kv_head + 1) * group)
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::{Checked, call_or, same};
    use std::ops::Range;

    const NARROW: &str = "32 bits do not hold the number of every head: count in usize";

    pub fn check(answer: fn(usize, usize, usize) -> Option<Range<usize>>) -> Checked {
        // The last model has more heads than 32 bits can count.
        let models =
            [(12, 2), (16, 8), (6, 6), (8, 1), (14, 4), (2, 4), (8, 0), (1 << 34, 1 << 33)];
        for (heads, kv_heads) in models {
            for kv_head in
                (0..=kv_heads).take(9).chain([300, 40_000, (1 << 32) + 1, usize::MAX])
            {
                let case =
                    format!("key-value head {kv_head} of {kv_heads}, with {heads} query heads");
                let even = kv_heads > 0 && heads % kv_heads == 0;
                let group = if even { heads / kv_heads } else { 1 };
                let next = kv_head.wrapping_add(1);
                let grouped =
                    |group: usize| kv_head.wrapping_mul(group)..next.wrapping_mul(group);
                let right = (even && kv_head < kv_heads).then(|| grouped(group));
                let panic = match (even, kv_head < kv_heads) {
                    (false, _) => {
                        "heads that cannot be shared out evenly: None, without a division by zero"
                    }
                    (true, false) => {
                        "a head that is not there: its range need not even fit in a usize"
                    }
                    _ => NARROW,
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
                        right.clone().map(|_| grouped(kv_heads)),
                    ),
                    (
                        NARROW,
                        right.clone().map(|r| {
                            let start = kv_head as u32 as usize * group;
                            start..start + r.len()
                        }),
                    ),
                ];
                let mistakes: Vec<_> =
                    mistakes.into_iter().filter(|(_, wrong)| wrong.is_some()).collect();
                same(&case, &right, &found, &mistakes)?;
            }
        }
        Ok(())
    }
}
