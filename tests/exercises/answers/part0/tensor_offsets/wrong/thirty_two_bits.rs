//? recognised: into 32 bits
//? why: Counts in 32 bits. The real model is 2.4 GB in `f32`; its larger sisters are more than 4 GiB.

pub fn tensor_offsets(sizes: &[u64], alignment: u64) -> Vec<u64> {
    let mut offsets = Vec::new();
    let mut start = 0;
    for &size in sizes {
        offsets.push(u64::from(start));
        start = ((u64::from(start) + size).next_multiple_of(alignment) & 0xffff_ffff) as u32;
    }
    offsets
}
