//? recognised: rounds twice
//? why: Multiplies and adds with two instructions, and so rounds twice.

#![allow(unsafe_code)]

pub fn dot(x: &[f32], w: &[f32]) -> f32 {
    let mut lanes = [0.0f32; 16];
    for (x, w) in x.chunks(16).zip(w.chunks(16)) {
        let a: [f32; 16] = std::array::from_fn(|j| x.get(j).copied().unwrap_or(0.0));
        let b: [f32; 16] = std::array::from_fn(|j| w.get(j).copied().unwrap_or(0.0));
        block(&a, &b, &mut lanes);
    }
    for half in [8, 4, 2, 1] {
        for j in 0..half {
            lanes[j] += lanes[j + half];
        }
    }
    lanes[0]
}

#[cfg(target_arch = "x86_64")]
fn block(a: &[f32; 16], b: &[f32; 16], lanes: &mut [f32; 16]) {
    // SSE is part of every x86-64, and has no fused instruction.
    use std::arch::x86_64::*;
    for i in [0, 4, 8, 12] {
        unsafe {
            let product =
                _mm_mul_ps(_mm_loadu_ps(a[i..].as_ptr()), _mm_loadu_ps(b[i..].as_ptr()));
            let sum = _mm_add_ps(_mm_loadu_ps(lanes[i..].as_ptr()), product);
            _mm_storeu_ps(lanes[i..].as_mut_ptr(), sum);
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn block(a: &[f32; 16], b: &[f32; 16], lanes: &mut [f32; 16]) {
    for j in 0..16 {
        lanes[j] += a[j] * b[j];
    }
}
