//? title: Write the test that refuses a wrong argmax
//? page: ground/sampling.md
//? section: Greedy
//? level: core
//? minutes: 20
//? call: check(answer::argmax_test)
//? hint 1: Think of the mistakes first: which start value, which comparison, which lists did their author not think of? A list of lists with the expected ids is enough.
//? hint 2: Equal scores, all negative, NaN in front, in the middle and alone, minus infinity beside NaN, infinity, the two zeros, two scores that differ in the last bit, a list as long as a vocabulary.
//? hint 3: `for (logits, expected) in cases { let found = argmax(logits); if found != expected { return Err(format!("{logits:?}: expected {expected}, found {found}")); } }`
//? why: Each list is there for one mistake that somebody makes. Random lists would find few of them, since equal scores and
//?   NaN do not come up by chance. The test compares ids and not scores: among equal scores the id is the whole question.

//! The rule of the page: argmax returns the index of the largest score. Of equal ones the first wins. NaN never wins against a
//! number, minus infinity included. If all are NaN, or the list is empty, the answer is 0.
//!
//! Write a test of it. `argmax` is some function; return `Ok(())` if it keeps the rule, and otherwise an `Err` that
//! holds the id you expected and the one you found.
//!
//! The check tries your test on two functions that are right and on thirteen that are wrong, each with one mistake.

pub fn argmax_test(argmax: &dyn Fn(&[f32]) -> usize) -> Result<(), String> {
    //-- starter
    // todo!()
    //-- solution
    const NAN: f32 = f32::NAN;
    const LOW: f32 = f32::NEG_INFINITY;
    let mut many = vec![0.0; 70_000];
    many[66_000] = 1.0;
    let cases: [(&[f32], usize); 13] = [
        (&[0.5, 2.0, 1.0], 1),
        (&[-3.0, -1.0, -2.0], 1),
        (&[-5.0, 1.0], 1),
        (&[1.0, 3.0, 3.0], 1),
        (&[1.0, 1.0 + f32::EPSILON], 1),
        (&[NAN, 1.0, 2.0], 2),
        (&[1.0, NAN, 2.0], 2),
        (&[NAN, LOW], 1),
        (&[1.0, f32::INFINITY], 1),
        (&[NAN, NAN], 0),
        (&[], 0),
        (&[-0.0, 0.0], 0),
        (&many, 66_000),
    ];
    for (logits, expected) in cases {
        let found = argmax(logits);
        if found != expected {
            let first = &logits[..logits.len().min(8)];
            return Err(format!("argmax of {first:?}...: expected {expected}, found {found}"));
        }
    }
    Ok(())
    //-- end
}
