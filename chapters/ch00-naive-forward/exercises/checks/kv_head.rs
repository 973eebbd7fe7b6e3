use exercise_kit::{Checked, call, same};

pub fn check(answer: impl Fn(usize, usize, usize) -> usize) -> Checked {
    for (heads, kv_heads) in [(16, 8), (12, 2), (6, 6), (8, 1)] {
        let case = format!("all {heads} query heads, {kv_heads} key-value heads");
        let with =
            |head_of: &dyn Fn(usize) -> usize| (0..heads).map(head_of).collect::<Vec<_>>();
        let found = call(&case, || with(&|head| answer(head, heads, kv_heads)))?;
        let group = heads / kv_heads;
        same(
            &case,
            &with(&|head| head / group),
            &found,
            &[
                (
                    "head % kv_heads deals the heads out like cards; here neighbours share",
                    with(&|head| head % kv_heads),
                ),
                (
                    "divided by kv_heads; divide by the size of a group, heads / kv_heads",
                    with(&|head| head / kv_heads),
                ),
                (
                    "every query head has a head of its own; in grouped-query attention they share a head",
                    with(&|head| head),
                ),
            ],
        )?;
    }
    Ok(())
}
