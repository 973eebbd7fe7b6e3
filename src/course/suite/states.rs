//! The state of every position after the embedding and after each layer: against the judge, and side by side.

use approx::AbsDiffEq;

use super::ask::{Answer, Engine, Question, Tried};
use super::judge::{Judgement, TOLERANCE};
use crate::about::Way;

/// Every state of the judged prompt, in the first way within the judge's tolerance and in all others to the bit.
pub fn agree(engine: &Engine, judgement: &Judgement) -> Tried {
    let hidden = &judgement.hidden;
    let question = asked(&Question::of(&judgement.model_file, &hidden.prompt_ids, 1));
    let mut first: Option<Answer> = None;
    for way in engine.ways_here() {
        let answer = engine.ask(way, &question)?;
        let found = &answer.layer_states;
        if let Some(first) = &first {
            if let Some(place) = parted(found, &first.layer_states) {
                let wanted = format!("the bits of the run with {:?}", engine.ways[0].flags);
                let look = way.look();
                return Err(engine
                    .mistake(way, &question, &place, wanted, "others")
                    .look(&look));
            }
            continue;
        }
        let wanted: Vec<_> = std::iter::once(&hidden.embedding).chain(&hidden.layers).collect();
        if found.len() != wanted.len() {
            let expected = format!("{} of them", wanted.len());
            return Err(engine.mistake(way, &question, "layer_states", expected, found.len()));
        }
        for (stage, (found, wanted)) in found.iter().zip(wanted).enumerate() {
            against_judge(engine, way, &question, stage, found, wanted)?;
        }
        first = Some(answer);
    }
    Ok(())
}

fn against_judge(
    engine: &Engine,
    way: &Way,
    question: &Question,
    stage: usize,
    found: &[Vec<f32>],
    wanted: &[Vec<f32>],
) -> Tried {
    let shape = |rows: &[Vec<f32>]| (rows.len(), rows.first().map_or(0, Vec::len));
    if shape(found) != shape(wanted) || found.iter().any(|row| row.len() != found[0].len()) {
        let expected = format!("rows and columns {:?}", shape(wanted));
        let found = format!("{:?}", shape(found));
        return Err(engine.mistake(way, question, &stage_words(stage), expected, found));
    }
    for (row, (found, wanted)) in found.iter().zip(wanted).enumerate() {
        let largest = wanted.iter().fold(0.0f32, |largest, number| largest.max(number.abs()));
        for (column, (found, wanted)) in found.iter().zip(wanted).enumerate() {
            if found.abs_diff_ne(wanted, TOLERANCE * largest) {
                let place = format!("{}, row {row}, column {column}", stage_words(stage));
                let look = row_words(stage, row);
                return Err(engine.mistake(way, question, &place, wanted, found).look(look));
            }
        }
    }
    Ok(())
}

/// Which layer is the first whose bits are not those of another engine, for one question. `None`: both agree, as long as
/// both have chosen the same tokens.
pub fn first_layer(
    engine: &Engine,
    other: &Engine,
    way: &Way,
    question: &Question,
) -> Tried<Option<String>> {
    let question = asked(question);
    let (found, wanted) = (engine.ask(way, &question)?, other.ask(way, &question)?);
    // Of another token everything differs. That it was chosen says something of the rows before it only.
    let same =
        found.generated_ids.iter().zip(&wanted.generated_ids).take_while(|(a, b)| a == b);
    let rows = wanted.prompt_ids.len() + same.count();
    let fed = |answer: Answer| -> Vec<Vec<Vec<f32>>> {
        let first = |stage: Vec<Vec<f32>>| stage.into_iter().take(rows).collect();
        answer.layer_states.into_iter().map(first).collect()
    };
    Ok(parted(&fed(found), &fed(wanted)))
}

/// The question with one more thing asked.
fn asked(question: &Question) -> Question {
    question.clone().with(&["--layer-states"])
}

/// The first place where two sets of states have other bits, in words.
fn parted(found: &[Vec<Vec<f32>>], wanted: &[Vec<Vec<f32>>]) -> Option<String> {
    let stages = found.len().max(wanted.len());
    (0..stages).find_map(|stage| {
        let (Some(found), Some(wanted)) = (found.get(stage), wanted.get(stage)) else {
            return Some(format!("{}, which only one of the two has", stage_words(stage)));
        };
        let bits = |row: &Vec<f32>| row.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        let rows = found.len().max(wanted.len());
        let row =
            (0..rows).find(|&row| found.get(row).map(bits) != wanted.get(row).map(bits))?;
        let words = match found.get(row) {
            Some(_) => row_words(stage, row),
            None => "no pass computed it: the loop, or the pieces of a prompt",
        };
        Some(format!("{}, row {row}: {words}", stage_words(stage)))
    })
}

fn stage_words(stage: usize) -> String {
    match stage {
        0 => "the embedding".into(),
        layer => format!("the state after layer {}", layer - 1),
    }
}

/// What the first wrong row says: row 0 attends to nothing but itself.
fn row_words(stage: usize, row: usize) -> &'static str {
    match (stage, row) {
        (0, _) => "the lookup of a row",
        (_, 0) => {
            "the norms, the projections, the MLP; at its own position attention is the value itself"
        }
        _ => {
            "positions, the norm of each head, the scale, the mask, the softmax, the order of heads: row 0 is right"
        }
    }
}
