//? title: An exact dot product of bytes, of any length
//? page: ch05/integers.md
//? section: The definition
//? level: core
//? minutes: 25
//? call: check(answer::most_places, answer::integer_dot)
//? hint 1: Which two bytes have the product that is farthest from zero? It is not 127 * 127. How large is the sum of two such products, and what is the largest `i16`?
//? hint 2: The largest product is -128 * -128 = 16,384, a power of two. Divide `i32::MAX` by it, rounding down. The negative products do not reach as far.
//? hint 3: Cut both slices with `chunks(most_places())`. The sum of a pair of chunks is an `i32`: `i32::from(*a) * i32::from(*b)` for each place. Convert each of these sums with `i64::from`, and add them up.
//? why: -128 times -128 is 2^14, the product that is farthest from zero. 131,071 of them are 2^31 - 2^14, and one more is 2^31, which
//?   is one past the end of `i32`. The most negative product is -128 * 127, and its sum needs more places to reach the other end. So
//?   an `i32` is exact for 131,071 places whatever the bytes are, and then the sum moves to an `i64`. The engine's groups have 32 places
//?   or 16, far from the end. In an `i16` not even two of the largest products fit, and some instructions add pairs of them there.

//! The dot product of two rows of signed bytes, exact for all bytes and any length. No rounding, and no overflow.
//!
//! A SIMD register holds twice as many `i32` as `i64`. So we sum in `i32` for as long as it cannot overflow, and then add
//! the sum to the result, which is an `i64`. How long is that? You prove it first:
//!
//! - `most_places()`: the largest number of products whose sum fits in an `i32` whatever the bytes are.
//! - `integer_dot(a, b)`: the sum of all a[i] * b[i]. Both slices have the same length, any length. No bytes give 0.
//!
//! Bytes go from -128 to 127, and both ends occur. The check brings rows of up to 2,200,000 bytes.

pub fn most_places() -> usize {
    //-- starter
    // todo!()
    //-- solution
    let farthest = i32::from(i8::MIN) * i32::from(i8::MIN);
    (i32::MAX / farthest) as usize
    //-- end
}

// a: [n], b: [n]
pub fn integer_dot(a: &[i8], b: &[i8]) -> i64 {
    //-- starter
    // todo!()
    //-- solution
    let sum = |(a, b): (&[i8], &[i8])| -> i32 {
        a.iter().zip(b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
    };
    let parts = a.chunks(most_places()).zip(b.chunks(most_places()));
    parts.map(|part| i64::from(sum(part))).sum()
    //-- end
}
