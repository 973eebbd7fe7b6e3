//? title: Two halves of the past become one
//? page: ch08/shares.md
//? section: Everyone reads
//? level: deep
//? minutes: 30
//? call: check(answer::join)
//? hint 1: Write down two halves of one key each, with the scores 1 and 3, and then the part that both keys together make. Every weight is relative to a largest score. Which of your six numbers were relative to the wrong one, and by which factor are they off?
//? hint 2: A half whose largest score is `old` has weights exp(score - old), and joined they should be exp(score - new). One factor, exp(old - new), corrects a half: its sum and every number of its mixture. Each half has a factor of its own, and since `new` is the larger of the two scores, one of the factors is exp(0). Now put in minus infinity for one half, and then for both. Which of the differences is no number?
//? hint 3: `let largest = a.0.max(b.0);`, and where that is minus infinity, neither half has a key: return one of them. Otherwise `let for_a = (a.0 - largest).exp();` and the same for b. The sum is `a.1 * for_a + b.1 * for_b`, and so is each number of the mixture. For a half without keys the factor is exp(-inf) = 0.
//? why: Sums don't care which half a term was in, as long as all terms are relative to one score. So each half is moved over to
//?   the larger of the two largest scores, by a factor of its own that is at most 1 and can't overflow. A half without keys has
//?   minus infinity there, and its factor is exp(-inf) = 0. Only where both are empty is the difference NaN, and then there's
//?   nothing to move. The division waits: what has been divided can't be added to, unless it is multiplied by its sum again.
//?   The result is a part like the two that went in, so any number of them can be joined, in any order. But an `f32` rounds each
//?   sum, and another cut or another order rounds at other places. An engine that cuts the past by its number of threads gives
//?   other bits with three of them than with two.

//! The past is long, and two threads want to read it, each one half. That leaves two mixtures, one over the keys of the
//! first half and one over the rest, and somebody has to make them one. (The engine of this chapter doesn't: its last
//! bits would depend on where the past was cut. Others do and call it *flash decoding*, and the joining is the whole
//! trick.)
//!
//! What a thread knows of its keys is a `Part`:
//!
//! - the largest of their scores, or minus infinity if there are no keys;
//! - the sum of their weights. A weight is exp(score - largest), and without keys the sum is 0;
//! - the mixture: for each column the sum of weight * value. It hasn't been divided by anything. Without keys it's all
//!   0.
//!
//! Return the part of all keys together: its largest score, its sum and its mixture have to be what they'd be if one
//! thread had read everything. Sum and mixture may be off by a hundred-thousandth of the sum, since an `f32` rounds.
//! Your result may be a half of another join.
//!
//! Both halves have the same number of columns, any number. They needn't have as many keys, and one of them may have
//! none, or both. Scores are finite, from -3e38 to 3e38, and nothing may become infinite or NaN on the way to the
//! result.

/// The largest score, the sum of the weights, and the mixture.
type Part = (f32, f32, Vec<f32>);

pub fn join(a: &Part, b: &Part) -> Part {
    //-- starter
    // todo!()
    //-- solution
    let largest = a.0.max(b.0);
    if largest == f32::NEG_INFINITY {
        return a.clone();
    }
    let (for_a, for_b) = ((a.0 - largest).exp(), (b.0 - largest).exp());
    let mixture = a.2.iter().zip(&b.2).map(|(a, b)| a * for_a + b * for_b);
    (largest, a.1 * for_a + b.1 * for_b, mixture.collect())
    //-- end
}
