//? recognised: read or wrote where it must not
//? why: Reads the last block whole, and takes only what belongs to it. The memory after the slice may not be there: then the program ends.

#![allow(unsafe_code)]

pub fn dot(x: &[f32], w: &[f32]) -> f32 {
    let mut lanes = [0.0f32; 16];
    let n = x.len().next_multiple_of(16);
    for k in 0..n {
        // SAFETY: what is read after the end is not used
        let (a, b) =
            unsafe { (x.as_ptr().add(k).read_volatile(), w.as_ptr().add(k).read_volatile()) };
        let (a, b) = if k < x.len() { (a, b) } else { (0.0, 0.0) };
        lanes[k % 16] = a.mul_add(b, lanes[k % 16]);
    }
    for width in [8, 4, 2, 1] {
        for j in 0..width {
            lanes[j] += lanes[j + width];
        }
    }
    lanes[0]
}
