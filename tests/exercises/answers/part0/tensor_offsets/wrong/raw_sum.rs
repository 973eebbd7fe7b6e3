//? recognised: earlier padding
//? why: Rounds the sum of the raw sizes. The padding before earlier tensors is missing from that sum.

pub fn tensor_offsets(sizes: &[u64], alignment: u64) -> Vec<u64> {
    let mut sum = 0u64;
    let mut offsets = Vec::new();
    for size in sizes {
        offsets.push(sum.next_multiple_of(alignment));
        sum += size;
    }
    offsets
}
