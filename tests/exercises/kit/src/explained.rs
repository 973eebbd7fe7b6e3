//! Many questions, and one mistake that explains all answers.

use crate::Failure;

/// One question, and what came of it.
pub struct Answered<G, F> {
    pub case: String,
    pub given: G,
    pub found: F,
}

/// A reason, and what a mistake gives in place of the right answer.
pub type Mistake<G, F> = (&'static str, fn(&G) -> F);

/// The first answer that is not right, as `show` tells it: what was expected, what was found. A mistake is right here and
/// there, so it is named only when it gives everything that was found.
pub fn explained<G, F: PartialEq>(
    all: &[Answered<G, F>],
    right: fn(&G) -> F,
    mistakes: &[Mistake<G, F>],
    show: impl Fn(&F, &F) -> (String, String),
) -> Result<(), Failure> {
    let wrong = all.iter().map(|one| (one, right(&one.given)));
    let Some((first, expected)) = wrong.into_iter().find(|(one, right)| one.found != *right)
    else {
        return Ok(());
    };
    let (expected, found) = show(&expected, &first.found);
    let failure = Failure::new(&first.case, expected, found);
    let explains = |of: fn(&G) -> F| all.iter().all(|one| of(&one.given) == one.found);
    Err(match mistakes.iter().find(|(_, of)| explains(*of)) {
        Some((reason, _)) => failure.likely(reason),
        None => failure,
    })
}
