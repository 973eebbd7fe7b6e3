//? recognised: where each tensor begins
//? why: Pushes the end of each tensor instead of its beginning.

pub fn tensor_offsets(sizes: &[u64], alignment: u64) -> Vec<u64> {
    let mut offsets = Vec::new();
    let mut start = 0;
    for &size in sizes {
        start = u64::next_multiple_of(start, alignment) + size;
        offsets.push(start);
    }
    offsets
}
