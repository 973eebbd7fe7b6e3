//? recognised: what comes after it was read
//? why: Reads the last block whole and multiplies what is behind the slice by 0. That memory is not ours to read, and where it holds a NaN or an infinity, times 0 is NaN.

#![allow(unsafe_code)]

pub fn dot(x: &[f32], w: &[f32]) -> f32 {
    let mut lanes = [0.0f32; 16];
    let n = x.len().next_multiple_of(16);
    for k in 0..n {
        // SAFETY: the padded tail is multiplied by nought
        let (a, b) = unsafe { (*x.as_ptr().add(k), *w.as_ptr().add(k)) };
        let (a, b) = if k < x.len() { (a, b) } else { (0.0 * a, 0.0 * b) };
        lanes[k % 16] = a.mul_add(b, lanes[k % 16]);
    }
    let mut width = 8;
    while width > 0 {
        for j in 0..width {
            lanes[j] += lanes[j + width];
        }
        width /= 2;
    }
    lanes[0]
}
