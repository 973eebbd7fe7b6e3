//? recognised: all or nothing
//? why: Keeps the cache if the text begins with all of it, and nothing otherwise. One changed word at the end costs the whole conversation.

pub fn kept(held: &[u32], ids: &[u32]) -> usize {
    if ids.starts_with(held) { held.len().min(ids.len().saturating_sub(1)) } else { 0 }
}
