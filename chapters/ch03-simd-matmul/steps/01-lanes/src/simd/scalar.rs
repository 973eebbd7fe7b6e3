/// The sum of the products of two vectors, in sixteen lanes and a tree.
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len(), "two vectors of different lengths have no dot product");
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "fma")]
        fn with_fma(a: &[f32], b: &[f32]) -> f32 {
            lanes_and_tree(a, b)
        }
        if is_x86_feature_detected!("fma") {
            // SAFETY: the CPU has the instruction: the line above asked.
            return unsafe { with_fma(a, b) };
        }
    }
    // Elsewhere `mul_add` may be a function of a library: the same bits, many times slower.
    lanes_and_tree(a, b)
}

#[inline(always)]
fn lanes_and_tree(a: &[f32], b: &[f32]) -> f32 {
    let (a, a_tail) = a.as_chunks::<16>();
    let (b, b_tail) = b.as_chunks::<16>();
    let mut lanes = [0.0; 16];
    for (a, b) in a.iter().zip(b) {
        lanes = mul_add(*a, *b, lanes);
    }
    if !a_tail.is_empty() {
        lanes = mul_add(padded(a_tail), padded(b_tail), lanes);
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

/// What is left of a row after its last whole sixteen, filled up with zeros.
#[inline(always)]
fn padded(tail: &[f32]) -> [f32; 16] {
    let mut sixteen = [0.0; 16];
    sixteen[..tail.len()].copy_from_slice(tail);
    sixteen
}
