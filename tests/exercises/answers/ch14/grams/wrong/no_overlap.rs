//? recognised: have tokens in common
//? why: Searches only what comes before the last three tokens, and misses them where they reach into that: in a row of equal tokens, it's silent for three too long.

pub fn places(ids: &[u32]) -> Vec<Option<usize>> {
    let after = |count: usize| {
        let last = ids[..count].last_chunk::<3>()?;
        let before = &ids[..count - 3];
        Some(before.windows(3).rposition(|three| three == last)? + 3)
    };
    (1..=ids.len()).map(after).collect()
}
