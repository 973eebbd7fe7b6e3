//? recognised: need not be equally long
//? why: Goes on as long as the ids are equal, and looks behind the end of the shorter one.

pub fn kept(held: &[u32], ids: &[u32]) -> usize {
    let mut kept = 0;
    while kept + 1 < ids.len() && held[kept] == ids[kept] {
        kept += 1;
    }
    kept
}
