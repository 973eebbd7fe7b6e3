//? recognised: 8 lanes
//? why: Uses 8 lanes, since one register has 8. The shape has 16: two registers.

#![allow(unsafe_code)]

pub fn dot(x: &[f32], w: &[f32]) -> f32 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        return unsafe { avx2(x, w) };
    }
    let mut lanes = [0.0f32; 8];
    for k in 0..x.len() {
        lanes[k % 8] = x[k].mul_add(w[k], lanes[k % 8]);
    }
    fold(lanes)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn avx2(x: &[f32], w: &[f32]) -> f32 {
    use std::arch::x86_64::*;
    let mut sum = _mm256_setzero_ps();
    for (x, w) in x.chunks(8).zip(w.chunks(8)) {
        let a: [f32; 8] = std::array::from_fn(|j| x.get(j).copied().unwrap_or(0.0));
        let b: [f32; 8] = std::array::from_fn(|j| w.get(j).copied().unwrap_or(0.0));
        unsafe {
            sum =
                _mm256_fmadd_ps(_mm256_loadu_ps(a.as_ptr()), _mm256_loadu_ps(b.as_ptr()), sum);
        }
    }
    let mut lanes = [0.0; 8];
    unsafe { _mm256_storeu_ps(lanes.as_mut_ptr(), sum) };
    fold(lanes)
}

fn fold(mut lanes: [f32; 8]) -> f32 {
    for half in [4, 2, 1] {
        for j in 0..half {
            lanes[j] += lanes[j + half];
        }
    }
    lanes[0]
}
