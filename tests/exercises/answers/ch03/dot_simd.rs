//? title: The same dot product with vector instructions
//? page: ch03/avx2.md
//? section: Sixteen lanes in two registers
//? level: deep
//? minutes: 120
//? call: check(dot)
//? hint 1: Sixteen lanes are two registers of 8 (AVX2) or four of 4 (NEON). Solve `dot_lanes` first: it is the twin for a CPU that has neither, and what you compare with.
//? hint 2: AVX2: `_mm256_loadu_ps` (u: any address), `_mm256_fmadd_ps`. Copy the tail into two arrays of 16 zeros and run one block more. The first step of the fold is one `_mm256_add_ps` of the two registers.
//? hint 3: Store the folded 8 lanes into an array and fold the rest with plain additions: half 4, 2, 1. Ask `is_x86_feature_detected!("avx2")` and `("fma")` once, in the safe function, and call the `#[target_feature(enable = "avx2,fma")]` one in an `unsafe` block that says why it may.
//? why: The registers hold lanes 0 to 7 and 8 to 15, so adding them is the first fold, j with j + 8. The tail goes through the
//?   same instructions on padded copies, and so keeps the shape. The last fold is done in memory: eight numbers once per dot
//?   product cost nothing beside a row of a thousand; a horizontal add would pair neighbours, which is another order.

// The dot product of `dot_lanes`, to the bit, with the vector instructions of this CPU: AVX2 and FMA on x86-64
// (`std::arch::x86_64`), NEON on aarch64. Where the CPU has none of them the plain loops are the answer, so this
// exercise can be done everywhere; the check cannot see which way was taken, only that the bits are right.
//
// - 16 lanes with fused multiply-add, tail padded with zeros, fold j + 8, j + 4, j + 2, j + 1.
// - Slices may begin at any address that is a multiple of 4. Nothing before or after them is read: there may be no memory.
// - `unsafe` is allowed in this file. Say at each block why it is sound.

// x: [n], w: [n]
pub fn dot(x: &[f32], w: &[f32]) -> f32 {
    //-- starter
    // todo!()
    //-- solution
    assert_eq!(x.len(), w.len());
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: the CPU has the two features that the function is compiled for.
        return unsafe { avx2(x, w) };
    }
    let mut lanes = [0.0; 16];
    for (x, w) in x.chunks(16).zip(w.chunks(16)) {
        for (lane, (a, b)) in lanes.iter_mut().zip(padded(x).into_iter().zip(padded(w))) {
            *lane = a.mul_add(b, *lane);
        }
    }
    let folded = std::array::from_fn(|j| lanes[j] + lanes[j + 8]);
    fold(folded)
    //-- end
}
//-- solution

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn avx2(x: &[f32], w: &[f32]) -> f32 {
    use std::arch::x86_64::*;
    let mut low = _mm256_setzero_ps();
    let mut high = _mm256_setzero_ps();
    let mut block = |x: &[f32; 16], w: &[f32; 16]| {
        // SAFETY: both arrays have 16 numbers: 8 from the start, and 8 from the middle.
        let load = |numbers: &[f32; 16]| unsafe {
            (_mm256_loadu_ps(numbers.as_ptr()), _mm256_loadu_ps(numbers[8..].as_ptr()))
        };
        let ((x_low, x_high), (w_low, w_high)) = (load(x), load(w));
        low = _mm256_fmadd_ps(x_low, w_low, low);
        high = _mm256_fmadd_ps(x_high, w_high, high);
    };
    let (x_blocks, x_tail) = x.as_chunks::<16>();
    let (w_blocks, w_tail) = w.as_chunks::<16>();
    for (x, w) in x_blocks.iter().zip(w_blocks) {
        block(x, w);
    }
    if !x_tail.is_empty() {
        block(&padded(x_tail), &padded(w_tail));
    }
    let mut lanes = [0.0; 8];
    // SAFETY: the array has room for 8 numbers.
    unsafe { _mm256_storeu_ps(lanes.as_mut_ptr(), _mm256_add_ps(low, high)) };
    fold(lanes)
}

fn padded(part: &[f32]) -> [f32; 16] {
    std::array::from_fn(|j| part.get(j).copied().unwrap_or(0.0))
}

fn fold(mut lanes: [f32; 8]) -> f32 {
    for half in [4, 2, 1] {
        for j in 0..half {
            lanes[j] += lanes[j + half];
        }
    }
    lanes[0]
}
//-- end

//-- check
pub mod check {
    use exercise_kit::dot::{Dot, MISTAKES};
    use exercise_kit::memory;
    use exercise_kit::{Asked, Checked, Near, Random, call, same_everywhere, same_numbers};

    pub fn check(answer: fn(&[f32], &[f32]) -> f32) -> Checked {
        let mut asked = Vec::new();
        for length in (0..=129).chain([70_001]) {
            let mut random = Random::new(10 + length as u64);
            let x = random.numbers(length + 3);
            let w = random.numbers(length + 3);
            // Slices that begin at every address of four in turn.
            for start in 0..4 {
                let case = format!("{length} numbers, from index {start} of a larger array");
                let (x, w) = (&x[start..][..length], &w[3 - start..][..length]);
                let found = call(&case, || answer(x, w))?;
                let mistakes = MISTAKES.map(|(_, dot)| dot.of(x, w)).to_vec();
                asked.push(Asked { case, expected: Dot::RIGHT.of(x, w), found, mistakes });
            }
        }
        same_everywhere(&asked, &MISTAKES.map(|(reason, _)| reason))?;
        // These slices end where the memory ends: what is read behind them does not always show in the result.
        for length in 0..=48 {
            let case = format!("{length} numbers, and no memory after them");
            let x = Random::new(12).numbers(length);
            let found = memory::at_the_end(&x, |x| call(&case, || answer(x, x)))?;
            let right = Dot::RIGHT.of(&x, &x);
            same_numbers(&case, &[], Near::Bits, &[right], &[found], &[])?;
        }
        Ok(())
    }
}
