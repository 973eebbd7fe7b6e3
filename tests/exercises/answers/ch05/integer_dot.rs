//? title: An exact dot product of bytes, of any length
//? page: ch05/integers.md
//? section: The definition
//? level: core
//? minutes: 25
//? call: check(most_places, integer_dot)
//? hint 1: Which two bytes have the product that is farthest from zero? It is not 127 * 127. How large is the sum of two such products, and what is the largest `i16`?
//? hint 2: The largest product is -128 * -128 = 16,384, a power of two. Divide `i32::MAX` by it, rounding down. The negative products do not reach as far.
//? hint 3: Cut both slices with `chunks(most_places())`. The sum of a pair of chunks is an `i32`: `i32::from(*a) * i32::from(*b)` for each place. Convert each of these sums with `i64::from`, and add them up.
//? why: -128 times -128 is 2^14, the product that is farthest from zero. 131,071 of them are 2^31 - 2^14, and one more is 2^31, which
//?   is one past the end of `i32`. The most negative product is -128 * 127, and its sum needs more places to reach the other end. So
//?   an `i32` is exact for 131,071 places whatever the bytes are, and then the sum moves to an `i64`. The engine's groups have 32 places
//?   or 16, far from the end. In an `i16` not even two of the largest products fit, and some instructions add pairs of them there.

// The dot product of two rows of signed bytes, exact for all bytes and any length. No rounding, and no overflow.
//
// A SIMD register holds twice as many `i32` as `i64`. So we sum in `i32` for as long as it cannot overflow, and then add
// the sum to the result, which is an `i64`. How long is that? You prove it first:
//
// - `most_places()`: the largest number of products whose sum fits in an `i32` whatever the bytes are.
// - `integer_dot(a, b)`: the sum of all a[i] * b[i]. Both slices have the same length, any length. No bytes give 0.
//
// Bytes go from -128 to 127, and both ends occur. The check brings rows of up to 2,200,000 bytes.

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

//-- check
pub mod check {
    use exercise_kit::explained::{as_written, ask_in_turn};
    use exercise_kit::{Checked, Failure, Random, call};

    /// The largest i32 divided by -128 * -128.
    const MOST: usize = 131_071;

    struct Rows {
        case: String,
        a: Vec<i8>,
        b: Vec<i8>,
    }

    pub fn check(most_places: fn() -> usize, integer_dot: fn(&[i8], &[i8]) -> i64) -> Checked {
        check_most(call("most_places()", most_places)?)?;
        let case = |it: &Rows| it.case.clone();
        let answer = |it: &Rows| integer_dot(&it.a, &it.b);
        ask_in_turn(rows(), case, answer, dot, as_written)
    }

    fn check_most(found: usize) -> Checked {
        if found == MOST {
            return Ok(());
        }
        let failure = Failure::new("most_places()", MOST, found);
        Err(match found {
            131_072 => failure.likely(
                "131,072 products of -128 * -128 are 2,147,483,648, and an i32 ends one before that",
            ),
            133_144 => failure.likely(
                "127 * 127 is not the product that is farthest from zero: bytes go down to -128",
            ),
            _ => failure,
        })
    }

    /// Short rows first: a mistake shows in a message that can be checked by hand. In each, one thing more can go wrong.
    fn rows() -> Vec<(&'static str, Rows)> {
        let short: [(&str, &[i8], &[i8]); 5] = [
            ("", &[3, -2, 5], &[7, 4, -1]),
            ("the product of two bytes does not fit into a byte", &[100, 127], &[100, 127]),
            ("", &[-128], &[-128]),
            (
                "a pair of products can be 32,768, and the sum stops at 32,767: an i16 is too short for it",
                &[-128, -128],
                &[-128, -128],
            ),
            ("", &[], &[]),
        ];
        let short = short.map(|(likely, a, b)| {
            let case = format!("a = {a:?}, b = {b:?}");
            (likely, Rows { case, a: a.to_vec(), b: b.to_vec() })
        });
        let mut random = Random::new(50);
        let random = [33, 1000, 200_000].map(|length| {
            let mut row = || -> Vec<i8> { (0..length).map(|_| random.bits() as i8).collect() };
            ("", Rows { case: format!("{length} random bytes"), a: row(), b: row() })
        });
        // One at the end: it is lost where a sum of floats has grown.
        let ends = [vec![-128; 3000], vec![1]].concat();
        let case = "3000 times -128 * -128, and 1 * 1".into();
        let ends = ("", Rows { case, a: ends.clone(), b: ends });
        let wraps = "the whole row in one i32: it wraps, and a long row can pass its end";
        let sum = "131,072 products of -128 * -128 are 2^31, and an i32 ends one before that";
        let long = [(MOST, -128, ""), (MOST + 1, -128, wraps), (2_200_000, -128, sum)];
        let long = long.map(|(length, b, likely)| {
            let case = format!("{length} times -128 * {b}");
            (likely, Rows { case, a: vec![-128; length], b: vec![b; length] })
        });
        short.into_iter().chain(random).chain([ends]).chain(long).collect()
    }

    fn dot(Rows { a, b, .. }: &Rows) -> i64 {
        a.iter().zip(b).map(|(a, b)| i64::from(*a) * i64::from(*b)).sum()
    }
}
