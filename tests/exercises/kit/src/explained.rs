//! Many questions, and one mistake that explains all answers.

use crate::{Checked, Failure, call};
use std::fmt::Debug;

/// A reason, and what a mistake gives in place of the right answer.
pub type Mistake<G, F> = (&'static str, fn(&G) -> F);

/// Asks every question. The first answer that is not right is told as `show` does it: what was expected, what was found. A
/// mistake is right here and there, so it is named only when it gives everything that was found. Where the answer panics,
/// nothing more is asked.
pub fn ask_all<G, F: PartialEq>(
    questions: impl IntoIterator<Item = G>,
    case: impl Fn(&G) -> String,
    answer: impl Fn(&G) -> F,
    right: fn(&G) -> F,
    mistakes: &[Mistake<G, F>],
    show: impl Fn(&F, &F) -> (String, String),
) -> Checked {
    let mut all = Vec::new();
    for given in questions {
        let found = call("", || answer(&given)).map_err(|failure| {
            let expected = right(&given);
            Failure { case: case(&given), expected: show(&expected, &expected).0, ..failure }
        })?;
        all.push((given, found));
    }
    let wrong = all.iter().map(|(given, found)| (given, right(given), found));
    let Some((given, expected, found)) =
        wrong.into_iter().find(|(_, right, found)| right != *found)
    else {
        return Ok(());
    };
    let (expected, found) = show(&expected, found);
    let failure = Failure::new(&case(given), expected, found);
    let explains = |of: fn(&G) -> F| all.iter().all(|(given, found)| of(given) == *found);
    Err(match mistakes.iter().find(|(_, of)| explains(*of)) {
        Some((reason, _)) => failure.likely(reason),
        None => failure,
    })
}

/// Both as they are written in a program.
pub fn as_written<F: Debug>(expected: &F, found: &F) -> (String, String) {
    (format!("{expected:?}"), format!("{found:?}"))
}

/// Asks one question after the other, and tells the first wrong answer as `show` does it. `likely` names the mistake by what
/// was asked, what was expected, and what was found unless the answer has panicked; "" if it's none that is known.
pub fn ask_each<G, F: PartialEq>(
    questions: impl IntoIterator<Item = G>,
    case: impl Fn(&G) -> String,
    answer: impl Fn(&G) -> F,
    right: impl Fn(&G) -> F,
    likely: impl Fn(&G, &F, Option<&F>) -> &'static str,
    show: impl Fn(&F, &F) -> (String, String),
) -> Checked {
    for given in questions {
        let (found, expected) = (call("", || answer(&given)), right(&given));
        if found.as_ref() == Ok(&expected) {
            continue;
        }
        let (failure, reason) = match found {
            Ok(found) => {
                let (wanted, shown) = show(&expected, &found);
                let failure = Failure::new(&case(&given), wanted, shown);
                (failure, likely(&given, &expected, Some(&found)))
            }
            Err(failure) => {
                let (wanted, _) = show(&expected, &expected);
                let failure = Failure { case: case(&given), expected: wanted, ..failure };
                (failure, likely(&given, &expected, None))
            }
        };
        return Err(failure.likely(reason));
    }
    Ok(())
}

/// Like `ask_each`, where each question comes with what is likely if it's the first that goes wrong; "" for nothing.
pub fn ask_in_turn<G, F: PartialEq>(
    questions: impl IntoIterator<Item = (&'static str, G)>,
    case: impl Fn(&G) -> String,
    answer: impl Fn(&G) -> F,
    right: impl Fn(&G) -> F,
    show: impl Fn(&F, &F) -> (String, String),
) -> Checked {
    let likely = |(reason, _): &(&'static str, G), _: &F, _: Option<&F>| *reason;
    ask_each(questions, |it| case(&it.1), |it| answer(&it.1), |it| right(&it.1), likely, show)
}
