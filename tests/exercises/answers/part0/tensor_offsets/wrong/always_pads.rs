//? recognised: already a multiple
//? why: Adds `alignment - end % alignment`, which is a whole `alignment` when the end is a multiple already.

pub fn tensor_offsets(sizes: &[u64], alignment: u64) -> Vec<u64> {
    let mut offsets = Vec::new();
    let mut start = 0;
    for size in sizes {
        offsets.push(start);
        start += size;
        start += alignment - start % alignment;
    }
    offsets
}
