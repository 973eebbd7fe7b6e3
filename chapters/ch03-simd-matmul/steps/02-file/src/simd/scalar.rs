use crate::kernels::{Number, padded};

/// The sum of the products of two vectors, in sixteen lanes and a tree.
pub fn dot<W: Number>(x: &[f32], weight: &[W]) -> f32 {
    assert_eq!(x.len(), weight.len(), "two vectors of different lengths have no dot product");
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "fma")]
        fn with_fma<W: Number>(x: &[f32], weight: &[W]) -> f32 {
            lanes_and_tree(x, weight)
        }
        if is_x86_feature_detected!("fma") {
            // SAFETY: the CPU has the instruction: the line above asked.
            return unsafe { with_fma(x, weight) };
        }
    }
    // Elsewhere `mul_add` may be a function of a library: the same bits, many times slower.
    lanes_and_tree(x, weight)
}

#[inline(always)]
fn lanes_and_tree<W: Number>(x: &[f32], weight: &[W]) -> f32 {
    let (x, x_tail) = x.as_chunks::<16>();
    let (weight, weight_tail) = weight.as_chunks::<16>();
    let mut lanes = [0.0; 16];
    for (x, weight) in x.iter().zip(weight) {
        lanes = mul_add(*x, weight.map(W::widen), lanes);
    }
    if !x_tail.is_empty() {
        lanes = mul_add(padded(x_tail), padded(weight_tail).map(W::widen), lanes);
    }
    sum(lanes)
}

/// a * b + sum in every lane, rounded once.
#[inline(always)]
fn mul_add(a: [f32; 16], b: [f32; 16], mut sum: [f32; 16]) -> [f32; 16] {
    for lane in 0..16 {
        sum[lane] = a[lane].mul_add(b[lane], sum[lane]);
    }
    sum
}

/// Adds up the lanes in a fixed order: j and j + 8, then j and j + 4, j and j + 2, 0 and 1.
#[inline(always)]
fn sum(mut lanes: [f32; 16]) -> f32 {
    for half in [8, 4, 2, 1] {
        for lane in 0..half {
            lanes[lane] += lanes[lane + half];
        }
    }
    lanes[0]
}
