//? recognised: whatever the alignment
//? why: Rounds to 32 and ignores `alignment`. Most files use 32, so this would work for a long time.

pub fn tensor_offsets(sizes: &[u64], _alignment: u64) -> Vec<u64> {
    let mut offsets = Vec::new();
    let mut start = 0u64;
    for size in sizes {
        offsets.push(start);
        start = (start + size).next_multiple_of(32);
    }
    offsets
}
