//? title: Write the test that refuses a wrong argmax
//? page: ground/sampling.md
//? section: Greedy
//? level: core
//? minutes: 20
//? call: check(argmax_test)
//? hint 1: Think of the mistakes first: which start value, which comparison, which lists did their author not think of? A list of lists with the expected ids is enough.
//? hint 2: Equal scores, all negative, NaN in front, in the middle and alone, minus infinity beside NaN, no scores at all, a list as long as a vocabulary.
//? hint 3: `for (logits, expected) in cases { let found = argmax(logits); if found != expected { return Err(format!("{logits:?}: expected {expected}, found {found}")); } }`
//? why: Each list is there for one mistake that somebody makes. Random lists would find few of them, since equal scores and
//?   NaN do not come up by chance. The test compares ids and not scores: among equal scores the id is the whole question.

// The rule of the page: argmax returns the index of the largest score. Of equal ones the first wins. NaN never wins against a
// number, minus infinity included. If all are NaN, or the list is empty, the answer is 0.
//
// Write a test of it. `argmax` is some function; return `Ok(())` if it keeps the rule, and otherwise an `Err` that
// holds the id you expected and the one you found.
//
// The check tries your test on two functions that are right and on eight that are wrong, each with one mistake.

pub fn argmax_test(argmax: &dyn Fn(&[f32]) -> usize) -> Result<(), String> {
    //-- starter
    // todo!()
    //-- solution
    const NAN: f32 = f32::NAN;
    const LOW: f32 = f32::NEG_INFINITY;
    let mut many = vec![0.0; 70_000];
    many[66_000] = 1.0;
    let cases: [(&[f32], usize); 9] = [
        (&[0.5, 2.0, 1.0], 1),
        (&[-3.0, -1.0, -2.0], 1),
        (&[1.0, 3.0, 3.0], 1),
        (&[NAN, 1.0, 2.0], 2),
        (&[1.0, NAN, 2.0], 2),
        (&[NAN, LOW], 1),
        (&[NAN, NAN], 0),
        (&[], 0),
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

//-- check
pub mod check {
    use exercise_kit::{Checked, Failure, call};
    use std::cell::RefCell;

    type Argmax = fn(&[f32]) -> usize;

    const RIGHT: [(&str, Argmax); 2] =
        [("the argmax of the page", right), ("a right argmax with iterators", right_too)];

    /// What the function does wrong, what the test lacks that lets it pass, and the function.
    const PLANTED: [(&str, &str, Argmax); 8] = [
        (
            "an argmax that begins its search at 0.0",
            "no list of the test is all negative, or the result is not compared with an id",
            |logits| if logits.iter().all(|x| *x < 0.0) { 0 } else { right(logits) },
        ),
        (
            "an argmax that returns the last of equal scores",
            "no list has its largest score twice, or scores are compared where ids are asked for",
            |logits| {
                let best = right(logits);
                logits.iter().rposition(|x| *x == logits[best]).unwrap_or(best)
            },
        ),
        (
            "an argmax in which NaN beats every number",
            "no list has a NaN after a number",
            |logits| match logits.iter().skip(1).position(|x| x.is_nan()) {
                Some(place) if logits.iter().any(|x| !x.is_nan()) => place + 1,
                _ => right(logits),
            },
        ),
        (
            "an argmax that never replaces a NaN at index 0",
            "no list begins with a NaN and goes on with a number",
            |logits| if logits.first().is_some_and(|x| x.is_nan()) { 0 } else { right(logits) },
        ),
        (
            "an argmax that takes NaN for minus infinity",
            "no list holds NaN and minus infinity and nothing else",
            |logits| {
                let low = |x: &f32| if x.is_nan() { f32::NEG_INFINITY } else { *x };
                right(&logits.iter().map(low).collect::<Vec<f32>>())
            },
        ),
        (
            "an argmax that returns the last index when all scores are NaN",
            "no list is nothing but NaN",
            |logits| match logits.iter().all(|x| x.is_nan()) {
                true => logits.len().saturating_sub(1),
                false => right(logits),
            },
        ),
        ("an argmax that gives 1 for an empty list", "no list is empty", |logits| {
            if logits.is_empty() { 1 } else { right(logits) }
        }),
        (
            "an argmax that keeps the id in two bytes",
            "no list is longer than 65,536, and a vocabulary is",
            |logits| usize::from(right(logits) as u16),
        ),
    ];

    pub fn check(answer: fn(&dyn Fn(&[f32]) -> usize) -> Result<(), String>) -> Checked {
        for (name, argmax) in RIGHT {
            let case = format!("your test on {name}");
            if let Err(message) = call(&case, || answer(&argmax))? {
                return Err(Failure::new(&case, "Ok(())", format!("Err({message:?})")).likely(
                "the test refuses a right argmax: the first of equals wins, NaN never does, nothing gives 0",
            ));
            }
        }
        let mut messages = Vec::new();
        for (what, reason, argmax) in PLANTED {
            let case = format!("your test on {what}");
            let mistakes = RefCell::new(Vec::new());
            let watched = |logits: &[f32]| {
                let (found, expected) = (argmax(logits), right(logits));
                if found != expected {
                    mistakes.borrow_mut().push((expected, found));
                }
                found
            };
            let Err(message) = call(&case, || answer(&watched))? else {
                return Err(Failure::new(&case, "Err(...)", "Ok(())").likely(reason));
            };
            messages.push((case, message, mistakes.into_inner()));
        }
        for (case, message, mistakes) in messages {
            let says = |id: usize| {
                let digits = message.split(|c: char| !c.is_ascii_digit());
                digits.into_iter().any(|word| word == id.to_string())
            };
            if !mistakes.iter().any(|&(expected, found)| says(expected) && says(found)) {
                let wanted = format!("a message with both ids, such as {:?}", mistakes.first());
                return Err(Failure::new(&case, wanted, format!("Err({message:?})")).likely(
                    "the message does not hold the id that was expected and the one found",
                ));
            }
        }
        Ok(())
    }

    fn right(logits: &[f32]) -> usize {
        let mut best = 0;
        for (id, &logit) in logits.iter().enumerate() {
            if logit > logits[best] || (logits[best].is_nan() && !logit.is_nan()) {
                best = id;
            }
        }
        best
    }

    fn right_too(logits: &[f32]) -> usize {
        let numbers = logits.iter().enumerate().filter(|(_, x)| !x.is_nan()).rev();
        // Of equals `max_by` returns the last, which is the first of a list read backwards.
        numbers
            .max_by(|a, b| a.1.partial_cmp(b.1).unwrap_or(std::cmp::Ordering::Equal))
            .map_or(0, |(id, _)| id)
    }
}
