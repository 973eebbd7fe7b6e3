//! The state of every position after the embedding and after each layer: against the judge, and side by side.

use std::fmt;

use approx::AbsDiffEq;

use crate::engine::{Answer, Engine, Mistake, Question, Tried};
use crate::judgement::{Judgement, TOLERANCE};
use catalog::manifest::Way;

/// Every state of the judged prompt, in the first way within the judge's tolerance and in all others to the bit.
pub fn agree(engine: &Engine, judgement: &Judgement) -> Tried {
    let hidden = &judgement.hidden;
    let question = asked(&Question::of(&judgement.model_file, &hidden.prompt_ids, 1));
    let mut first: Option<Answer> = None;
    for way in engine.ways_here() {
        let answer = engine.ask(way, &question)?;
        let found = &answer.layer_states;
        if let Some(first) = &first {
            if let Some(apart) = first_apart(found, &first.layer_states, same_bits) {
                let as_in = format!(", as with {:?}", engine.ways[0].flags);
                return Err(apart.mistake(engine, way, &question, &as_in));
            }
            continue;
        }
        let wanted: Vec<_> =
            std::iter::once(&hidden.embedding).chain(&hidden.layers).cloned().collect();
        let tolerance = judgement.tolerance.unwrap_or(TOLERANCE);
        if let Some(apart) = first_apart(found, &wanted, near(tolerance)) {
            return Err(apart.mistake(engine, way, &question, ""));
        }
        first = Some(answer);
    }
    Ok(())
}

/// The first number whose bits are not those of another engine, for one question. `None`: both agree, as long as both have
/// chosen the same tokens.
pub fn beside(
    engine: &Engine,
    other: &Engine,
    way: &Way,
    question: &Question,
) -> Tried<Option<Apart>> {
    let question = asked(question);
    let (found, wanted) = (engine.ask(way, &question)?, other.ask(way, &question)?);
    // Of another token everything differs. That it was chosen says something of the rows before it only.
    let same =
        found.generated_ids.iter().zip(&wanted.generated_ids).take_while(|(a, b)| a == b);
    let rows = wanted.prompt_ids.len() + same.count();
    let fed = |answer: Answer| -> States {
        let first = |stage: Vec<Vec<f32>>| stage.into_iter().take(rows).collect();
        answer.layer_states.into_iter().map(first).collect()
    };
    Ok(first_apart(&fed(found), &fed(wanted), same_bits))
}

/// The question with one more thing asked.
fn asked(question: &Question) -> Question {
    question.clone().with(&["--layer-states"])
}

/// [1 + layers][positions][hidden]
type States = Vec<Vec<Vec<f32>>>;

/// The first number of the states that is not as expected. None: there is no such number.
pub struct Apart {
    stage: usize,
    row: usize,
    column: usize,
    found: Option<f32>,
    expected: Option<f32>,
}

/// Row by row, because what is wrong with a row is seen in the next layer of all rows after it.
fn first_apart(
    found: &States,
    expected: &States,
    same: impl Fn(&[f32], f32, f32) -> bool,
) -> Option<Apart> {
    for stage in 0..found.len().max(expected.len()) {
        let rows = |states: &States| states.get(stage).map_or(0, Vec::len);
        for row in 0..rows(found).max(rows(expected)) {
            let [found, expected] = [found, expected].map(|states| {
                states.get(stage).and_then(|rows| rows.get(row)).map_or(&[][..], |row| row)
            });
            for column in 0..found.len().max(expected.len()) {
                let (found, wanted) =
                    (found.get(column).copied(), expected.get(column).copied());
                if !found
                    .zip(wanted)
                    .is_some_and(|(found, wanted)| same(expected, found, wanted))
                {
                    return Some(Apart { stage, row, column, found, expected: wanted });
                }
            }
        }
    }
    None
}

/// As near as the judge's number has to be, beside the largest of its row.
fn near(tolerance: f32) -> impl Fn(&[f32], f32, f32) -> bool {
    move |row, found, wanted| {
        let largest = row.iter().fold(0.0f32, |largest, number| largest.max(number.abs()));
        found.abs_diff_eq(&wanted, tolerance * largest)
    }
}

fn same_bits(_: &[f32], found: f32, wanted: f32) -> bool {
    found.to_bits() == wanted.to_bits()
}

impl Apart {
    fn place(&self) -> String {
        let stage = match self.stage {
            0 => "the embedding".into(),
            layer => format!("layer {}", layer - 1),
        };
        format!("{stage}, row {}, column {}", self.row, self.column)
    }

    fn mistake(
        &self,
        engine: &Engine,
        way: &Way,
        question: &Question,
        as_in: &str,
    ) -> Box<Mistake> {
        let (expected, found) = (shown(self.expected) + as_in, shown(self.found));
        let mistake = engine.mistake(way, question, &self.place(), expected, found);
        mistake.look(&way.look()).look(self.look())
    }

    /// What the first wrong row says: row 0 attends to nothing but itself.
    pub fn look(&self) -> &'static str {
        match (self.found, self.stage, self.row) {
            (None, ..) => "the loop, or the chunks of a prompt: no pass computed it",
            (_, 0, _) => "the lookup of a row: src/model.rs",
            (_, _, 0) => {
                "the norms, the projections, the MLP: src/norm.rs, src/matmul.rs, src/mlp.rs, src/model.rs, \
                 src/attention.rs, and from chapter 3 on src/kernels (row 0 sees only itself, so what it gets from \
                 attention is the value itself)"
            }
            _ => {
                "positions, the norm of each head, the scale, the mask, the softmax, the order of heads: \
                 src/attention.rs, src/rope.rs, src/softmax.rs, src/norm.rs, and from chapter 3 on src/kernels \
                 (row 0 is right)"
            }
        }
    }
}

impl fmt::Display for Apart {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let (found, expected) = (shown(self.found), shown(self.expected));
        write!(out, "{}: found {found}, expected {expected}", self.place())
    }
}

fn shown(number: Option<f32>) -> String {
    number.map_or("no number".into(), |number| number.to_string())
}
