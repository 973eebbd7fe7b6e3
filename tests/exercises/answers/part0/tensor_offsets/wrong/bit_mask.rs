//? recognised: a power of two
//? why: Rounds with a bit mask. That works for powers of two only, and the task asks for every alignment.

pub fn tensor_offsets(sizes: &[u64], alignment: u64) -> Vec<u64> {
    let mut offsets = Vec::new();
    let mut start = 0;
    for &size in sizes {
        offsets.push(start);
        start = (start + size + alignment - 1) & !(alignment - 1);
    }
    offsets
}
