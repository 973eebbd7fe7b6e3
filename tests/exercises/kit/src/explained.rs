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
