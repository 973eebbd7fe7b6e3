//? recognised: no padding
//? why: Puts the tensors directly after one another. Any size that is no multiple moves all later tensors off their places.

pub fn tensor_offsets(sizes: &[u64], _alignment: u64) -> Vec<u64> {
    let mut end = 0;
    let mut offsets = Vec::new();
    for size in sizes {
        offsets.push(end);
        end += size;
    }
    offsets
}
