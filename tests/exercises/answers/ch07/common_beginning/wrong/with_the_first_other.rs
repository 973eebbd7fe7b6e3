//? recognised: first id that differs
//? why: Counts the first id that differs as well.

pub fn kept(held: &[u32], ids: &[u32]) -> usize {
    let mut kept = 0;
    for (a, b) in held.iter().zip(ids) {
        kept += 1;
        if a != b {
            break;
        }
    }
    kept.min(ids.len().saturating_sub(1))
}
