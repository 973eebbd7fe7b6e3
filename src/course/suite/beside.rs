//! Two engines side by side, in every way: the reader's chapter and the course's must agree to the bit.

use super::ask::{Engine, Question, Tried};
use super::judge::Judgement;
use super::{figures, states, ways};
use crate::about::Way;

const LENGTHS: [usize; 3] = [1, 7, 33];
const STEPS: usize = 6;
const LOGITS: usize = 10;

/// What both are asked of a judged model.
pub fn questions(judgement: &Judgement) -> impl Iterator<Item = Question> {
    let cases = judgement.cases.iter().filter(|case| LENGTHS.contains(&case.prompt_ids.len()));
    cases.map(|case| Question::greedy(&judgement.model_file, &case.prompt_ids, STEPS, LOGITS))
}

/// `theirs` is right by definition: what differs is a mistake of `mine`.
pub fn same_bits(mine: &Engine, theirs: &Engine, question: &Question) -> Tried {
    for way in mine.ways_here() {
        let (found, wanted) = (mine.ask(way, question)?, theirs.ask(way, question)?);
        let as_in = format!("as in {}", theirs.name);
        ways::same(mine, way, question, &found, &wanted, &as_in)
            .map_err(|mistake| mistake.look(&look(mine, theirs, way, question)))?;
        if let Some(wrong) =
            figures::difference(found.metrics.as_ref(), wanted.metrics.as_ref())
        {
            let place = format!("{} of the metrics; the text is right", wrong.figure);
            return Err(mine.mistake(way, question, &place, wrong.wanted, wrong.found));
        }
    }
    Ok(())
}

/// What to look at: the first layer with other bits, as the passes of this very run computed it.
pub fn look(mine: &Engine, theirs: &Engine, way: &Way, question: &Question) -> String {
    let name = &theirs.name;
    match states::first_layer(mine, theirs, way, question) {
        Ok(Some(place)) => format!("{place} (the first whose bits are not those of {name})"),
        Ok(None) => {
            "the final norm, the output head or the loop: every layer has the right bits".into()
        }
        // It cannot be asked: then there is nothing more to say.
        Err(_) => String::new(),
    }
}
