//? title: Which query heads read a key-value head
//? page: ch00/mean.md
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
    use exercise_kit::explained::{as_written, ask_in_turn};
    use exercise_kit::{Checked, Random};
    use std::ops::Range;

    /// The number of a key-value head, and how many there are of both kinds.
    type Given = (usize, usize, usize);

    pub fn check(answer: fn(usize, usize, usize) -> Option<Range<usize>>) -> Checked {
        let narrow = "32 bits do not hold the number of every head: count in usize";
        // In each, one thing more can go wrong.
        let first: [(&str, Given); 7] = [
            (
                "a range ends after its last number: the last head of the group is missing",
                (0, 1, 1),
            ),
            ("the groups overlap: each begins one head after the one before", (1, 4, 2)),
            (
                "the group has as many query heads as there are key-value heads: how many share one?",
                (1, 6, 2),
            ),
            ("the heads cannot be shared out evenly: None", (0, 14, 4)),
            ("there is no such head, and a range came back", (2, 4, 2)),
            (
                "heads that cannot be shared out evenly: None, without a division by zero",
                (0, 8, 0),
            ),
            (narrow, ((1 << 32) + 1, 1 << 34, 1 << 33)),
        ];
        let mut random = Random::new(12);
        let drawn = (0..600).map(|i| {
            let most = [9, 40, 1 << 33][i % 3];
            let kv_heads = random.below(most);
            let heads = kv_heads * random.below(9) + random.below(8) / 7;
            let far = [random.below(kv_heads + 2), random.below(kv_heads + 2), usize::MAX];
            ("", (far[random.below(3)], heads, kv_heads))
        });
        let case = |(kv_head, heads, kv_heads): &Given| {
            format!("key-value head {kv_head} of {kv_heads}, with {heads} query heads")
        };
        let answer = |&(kv_head, heads, kv_heads): &Given| answer(kv_head, heads, kv_heads);
        let right = |&(kv_head, heads, kv_heads): &Given| {
            let is_even = kv_heads > 0 && heads / kv_heads * kv_heads == heads;
            let group = (is_even && kv_head < kv_heads).then(|| heads / kv_heads)?;
            Some(kv_head * group..kv_head * group + group)
        };
        ask_in_turn(first.into_iter().chain(drawn), case, answer, right, as_written)
    }
}
