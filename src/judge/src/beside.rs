//! Two engines side by side, in every way: the reader's chapter and the course's must agree to the bit.

use std::path::Path;

use crate::engine::{Engine, Mistake, Question, Tried};
use crate::judgement::{Judgement, MODELS};
use crate::{Suite, figures, states, unjudged, ways};

const LENGTHS: [usize; 3] = [1, 7, 33];
const STEPS: usize = 6;
const LOGITS: usize = 10;

/// What both are asked, by the models: first those whose layers have no judge, and of these what takes longest.
pub fn topics(suite: &Suite, mine: &Engine, root: &Path) -> Vec<(&'static str, Vec<Question>)> {
    let judged = MODELS.into_iter().zip(suite.judgements(mine));
    let judged = judged.map(|(model, judgement)| (model, questions(judgement).collect()));
    let others = unjudged::MODELS.into_iter().rev();
    let others = others.map(|model| (model, unjudged::questions(root, model).collect()));
    others.chain(judged).collect()
}

fn questions(judgement: &Judgement) -> impl Iterator<Item = Question> {
    let cases = judgement.cases.iter().filter(|case| LENGTHS.contains(&case.prompt_ids.len()));
    cases.map(|case| Question::greedy(&judgement.model_file, &case.prompt_ids, STEPS, LOGITS))
}

/// With these flags an engine gives the bits of the one before it, which knows nothing of them.
pub fn as_before(mine: &Engine, before: &Engine, flags: &[String], suite: &Suite) -> Tried {
    for (_, questions) in topics(suite, before, &suite.root) {
        for (question, way) in
            questions.iter().flat_map(|q| mine.ways_here().map(move |way| (q, way)))
        {
            let mut with = way.clone();
            with.flags.extend_from_slice(flags);
            let (found, wanted) = (mine.ask(&with, question)?, before.ask(way, question)?);
            let as_in = format!("as in {}", before.name);
            ways::same(mine, &with, question, &found, &wanted, &as_in)?;
        }
    }
    Ok(())
}

/// `theirs` is right by definition: what differs is a mistake of `mine`.
pub fn same_bits(mine: &Engine, theirs: &Engine, question: &Question) -> Tried {
    for way in mine.ways_here() {
        let (found, wanted) = (mine.ask(way, question)?, theirs.ask(way, question)?);
        let as_in = format!("as in {}", theirs.name);
        ways::same(mine, way, question, &found, &wanted, &as_in).map_err(|mut mistake| {
            add_layer(&mut mistake, mine, theirs);
            mistake
        })?;
        if let Some(wrong) =
            figures::difference(found.metrics.as_ref(), wanted.metrics.as_ref())
        {
            let place = format!("{} of the metrics; the text is right", wrong.figure);
            return Err(mine.mistake(way, question, &place, wrong.wanted, wrong.found));
        }
    }
    Ok(())
}

/// Adds the first number of a layer that is another one, as the passes of this very run computed it.
pub fn add_layer(mistake: &mut Mistake, mine: &Engine, theirs: &Engine) {
    match states::beside(mine, theirs, &mistake.way, &mistake.question) {
        Ok(Some(apart)) => {
            mistake.layer = format!("{apart}, as in {}", theirs.name);
            mistake.also(apart.look());
        }
        Ok(None) => mistake.also(
            "every layer has the right bits, so the final norm, the output head or the loop: \
             src/model.rs, src/generate.rs",
        ),
        // It cannot be asked: then it is not the numbers that are wrong, but how a pass ends.
        Err(_) if mistake.look.is_empty() => {
            mistake.also("what runs a pass: src/model.rs, src/attention.rs, src/generate.rs");
        }
        Err(_) => {}
    }
}
