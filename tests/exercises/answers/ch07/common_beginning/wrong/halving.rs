//? recognised: is no order
//? why: Looks for the first difference by halving, and asks of each middle only whether its own id is equal. Equal ids after the first difference lead it astray.

pub fn kept(held: &[u32], ids: &[u32]) -> usize {
    let (mut low, mut high) = (0, held.len().min(ids.len()));
    while low < high {
        let middle = (low + high) / 2;
        if held[middle] == ids[middle] { low = middle + 1 } else { high = middle }
    }
    low.min(ids.len().saturating_sub(1))
}
