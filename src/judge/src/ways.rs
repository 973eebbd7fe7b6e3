//! However an engine is run, with a cache, in chunks, with other instructions: the same bits.

use crate::engine::{Answer, Engine, Question, Tried};
use crate::judgement::{Judgement, step_words};
use catalog::manifest::Way;

/// The judged prompts that differ most in kind: one token, some, more than a tile, more than any block.
const LENGTHS: [usize; 4] = [1, 7, 33, 200];
/// Few, because some ways compute the whole past for each.
const STEPS: usize = 3;
const LONGEST_TO_RECOMPUTE: usize = 64;
const LOGITS: usize = 10;

/// Greedy runs of one judged model.
pub fn agree(engine: &Engine, judgement: &Judgement) -> Tried {
    for case in &judgement.cases {
        let prompt = &case.prompt_ids;
        if LENGTHS.contains(&prompt.len()) {
            let steps = if prompt.len() > LONGEST_TO_RECOMPUTE { 1 } else { STEPS };
            let question = Question::greedy(&judgement.model_file, prompt, steps, LOGITS);
            all_the_same(engine, &question)?;
        }
    }
    Ok(())
}

/// Drawn runs: the same seed draws the same tokens in every way.
pub fn draw_alike(engine: &Engine, judgement: &Judgement) -> Tried {
    let settings =
        ["--temperature=0.7", "--top-k=40", "--top-p=0.9", "--repetition-penalty=1.1"];
    for seed in 0..4 {
        let prompt = &judgement.cases[seed % judgement.cases.len()].prompt_ids;
        let prompt = &prompt[..prompt.len().min(8)];
        let question = Question::of(&judgement.model_file, prompt, 8).with(&settings);
        all_the_same(engine, &question.with(&[&format!("--seed={seed}"), "--top-logits=3"]))?;
    }
    Ok(())
}

/// One question, asked in every way.
pub fn all_the_same(engine: &Engine, question: &Question) -> Tried {
    if engine.ways_here().count() == 1 {
        return Ok(());
    }
    let mut first: Option<(&Way, Answer)> = None;
    for way in engine.ways_here() {
        let answer = engine.ask(way, question)?;
        match &first {
            None => first = Some((way, answer)),
            Some((plain, wanted)) => {
                let as_in = format!("as with {:?}", plain.flags);
                same(engine, way, question, &answer, wanted, &as_in)
                    .map_err(|mistake| mistake.look(&way.look()))?;
            }
        }
    }
    Ok(())
}

/// Ids, text, reason of the end, and every bit of every logit.
pub fn same(
    engine: &Engine,
    way: &Way,
    question: &Question,
    found: &Answer,
    wanted: &Answer,
    as_in: &str,
) -> Tried {
    let differs = |place: &str, wanted: String, found: String| {
        Err(engine.mistake(way, question, place, format!("{wanted}, {as_in}"), found))
    };
    let steps = found.top_logits.len().max(wanted.top_logits.len());
    for step in 0..steps {
        let bits = |answer: &Answer| -> Option<Vec<(u32, u32)>> {
            let top = answer.top_logits.get(step)?;
            Some(top.iter().map(|(id, logit)| (*id, logit.to_bits())).collect())
        };
        if bits(found) != bits(wanted) {
            let (place, shown) = (step_words(step), |answer: &Answer| {
                answer.top_logits.get(step).map_or("no logits".into(), |top| format!("{top:?}"))
            });
            return differs(&place, shown(wanted), shown(found));
        }
    }
    if found.generated_ids != wanted.generated_ids || found.prompt_ids != wanted.prompt_ids {
        let (wanted, found) = (&wanted.generated_ids, &found.generated_ids);
        return differs("the ids", format!("{wanted:?}"), format!("{found:?}"));
    }
    if found.text != wanted.text {
        return differs("the text", format!("{:?}", wanted.text), format!("{:?}", found.text));
    }
    if found.finish_reason != wanted.finish_reason {
        let (wanted, found) = (wanted.finish_reason.clone(), found.finish_reason.clone());
        return differs("the finish_reason", wanted, found);
    }
    Ok(())
}
