//! What an implementation that nobody here wrote computed for the same weights: `lab/reference` made it.

use std::path::{Path, PathBuf};

use approx::AbsDiffEq;
use ground::error::Error;
use serde::Deserialize;

use crate::engine::{Answer, Engine, Mistake, Question, Tried};
use catalog::error::problem_at;
use catalog::manifest::Way;

/// The models that were judged: the embedded one and two untrained ones of other shapes.
pub const MODELS: [&str; 3] = ["tiny-qwen3", "untied-one-kv", "three-to-one-odd-vocab"];
/// What engines may round, each a folder of judgements.
pub const JUDGES: [Option<&str>; 3] = [None, Some("rounded"), Some("f16")];
/// In this one products round nothing, for its weights aren't quantised: so "rounded" judges it as it was.
const PLAIN: &str = MODELS[1];

/// Within this part of the largest magnitude beside it a number counts as the judge's.
pub const TOLERANCE: f32 = 1e-4;
/// The same where a rounding is so near a tie that the last bit of a number decides it. One rounding that falls the other
/// way moves all that follow: two right programs are then as far apart as with and without rounding. A judgement may
/// say how far that is.
const UNSURE: f32 = 3e-2;
/// For so many prompts of a model an unsure token may differ, where the judge's best two are that close: `lab/reference`
/// says how often that happens.
const MAY_PART: usize = 4;

/// The judge's word on one model.
#[derive(Deserialize)]
pub struct Judgement {
    pub model_file: PathBuf,
    pub cases: Vec<Case>,
    pub hidden: Hidden,
    /// In place of [`UNSURE`], and for the hidden states too: in such a model nothing is sure.
    pub tolerance: Option<f32>,
}

/// One prompt and what follows it greedily, not stopped by an end token.
#[derive(Deserialize)]
pub struct Case {
    pub name: String,
    pub prompt_ids: Vec<u32>,
    pub generated_ids: Vec<u32>,
    /// For every step the best logits.
    pub top: Vec<Vec<(u32, f32)>>,
    /// All logits after the prompt, of some prompts.
    pub last_logits: Option<Vec<f32>>,
    /// So many of the first steps depend on no rounding that is near a tie. None: all do not, as nothing is rounded.
    pub sure: Option<usize>,
}

/// The state of every token after each part of the model, each [rows, hidden].
#[derive(Deserialize)]
pub struct Hidden {
    pub prompt_ids: Vec<u32>,
    pub embedding: Vec<Vec<f32>>,
    pub layers: Vec<Vec<Vec<f32>>>,
}

impl Judgement {
    /// `model`: one of [`MODELS`], judge: one of [`JUDGES`]. The path of the model's file is made whole.
    pub fn read(root: &Path, model: &str, judge: Option<&str>) -> Result<Judgement, Error> {
        let all = root.join("tests/fixtures/judge");
        let folder = judge.filter(|judge| (*judge, model) != ("rounded", PLAIN));
        let path = all.join(folder.unwrap_or_default()).join(model).with_extension("json");
        let broken = |error: String| problem_at(&path, error);
        let text = std::fs::read_to_string(&path).map_err(|error| broken(error.to_string()))?;
        let mut judgement: Judgement =
            serde_json::from_str(&text).map_err(|error| broken(error.to_string()))?;
        judgement.model_file = root.join(judgement.model_file);
        Ok(judgement)
    }

    /// How near the logits of a step must be to the judge's, as a part of the largest.
    fn tolerance(&self, case: &Case, step: usize) -> f32 {
        if case.is_sure(step) { TOLERANCE } else { self.tolerance.unwrap_or(UNSURE) }
    }
}

impl Case {
    fn is_sure(&self, step: usize) -> bool {
        self.sure.is_none_or(|sure| step < sure)
    }

    /// What to ask of a program: from which step of this case on, and how many.
    ///
    /// A way that computes the whole past for every token is asked for the first step and, after the shortest
    /// prompts and with the judge's own tokens as part of them, for the last one. All others are asked for all steps.
    fn parts(&self, recomputes: bool) -> Vec<(usize, usize)> {
        let (prompt, all) = (self.prompt_ids.len(), self.generated_ids.len());
        match (recomputes, prompt) {
            (false, _) => vec![(0, all)],
            (true, ..=7) => vec![(0, 2), (all - 1, 1)],
            (true, ..=200) => vec![(0, 1)],
            (true, _) => vec![],
        }
    }
}

/// Tokens and logits of every judged prompt, in the first way that there is and in the first that remembers.
pub fn agrees(engine: &Engine, judgement: &Judgement) -> Tried {
    let mut tried: Vec<&Way> = Vec::new();
    for way in engine.ways_here() {
        if tried.iter().any(|other| other.recomputes == way.recomputes) {
            continue;
        }
        tried.push(way);
        let mut parted = 0;
        for case in &judgement.cases {
            for (from, steps) in case.parts(way.recomputes) {
                let Some(mistake) = one(engine, way, judgement, case, from, steps)? else {
                    continue;
                };
                parted += 1;
                if parted > MAY_PART {
                    let look = format!("one near tie too many: {MAY_PART} prompts may part");
                    return Err(mistake.look(&look));
                }
                break;
            }
        }
    }
    Ok(())
}

/// How many logits a program is asked for: more than the judge noted, so that all of his are among them.
const LOGITS: usize = 30;

/// All of one case that was asked for. `Some`: another token than the judge's, where that may be.
fn one(
    engine: &Engine,
    way: &Way,
    judgement: &Judgement,
    case: &Case,
    from: usize,
    steps: usize,
) -> Tried<Option<Box<Mistake>>> {
    let prompt = [&case.prompt_ids[..], &case.generated_ids[..from]].concat();
    let all = case.last_logits.as_ref().filter(|_| from == 0);
    let logits = all.map_or(LOGITS, Vec::len);
    let question = Question::greedy(&judgement.model_file, &prompt, steps, logits);
    let answer = engine.ask(way, &question)?;
    complete(engine, way, &question, &answer, &prompt, steps, logits)?;
    if let Some(all) = all {
        let tolerance = judgement.tolerance(case, 0);
        all_logits(engine, way, &question, case, &answer.top_logits[0], all, tolerance)?;
    }
    for step in 0..steps {
        let found = &answer.top_logits[step];
        let (id, top) = (case.generated_ids[from + step], &case.top[from + step]);
        let mistake = |expected: String, found: String| {
            let place = format!("prompt {:?}, {}", case.name, step_words(from + step));
            engine.mistake(way, &question, &place, expected, found).look(&way.look())
        };
        let largest = top.iter().fold(0.0f32, |largest, (_, logit)| largest.max(logit.abs()));
        let tolerance = judgement.tolerance(case, from + step) * largest;
        for &(id, wanted) in top {
            let Some(&(_, logit)) = found.iter().find(|(other, _)| *other == id) else {
                let ids: Vec<u32> = found.iter().map(|(id, _)| *id).collect();
                let wanted = format!("token {id} among the {logits} best, logit {wanted}");
                return Err(mistake(wanted, format!("the tokens {ids:?}")));
            };
            if logit.abs_diff_ne(&wanted, tolerance) {
                let wanted = format!("logit {wanted} for token {id}");
                return Err(mistake(wanted, logit.to_string()));
            }
        }
        let other = answer.generated_ids[step];
        if other != id {
            let wrong = mistake(format!("token {id}"), format!("token {other}"));
            let near =
                top.iter().any(|&(id, logit)| id == other && top[0].1 - logit <= tolerance);
            // What follows another token is not what the judge followed.
            let may_be = near && !case.is_sure(from + step);
            return if may_be { Ok(Some(wrong)) } else { Err(wrong) };
        }
    }
    Ok(None)
}

/// Every logit of the vocabulary after the prompt.
fn all_logits(
    engine: &Engine,
    way: &Way,
    question: &Question,
    case: &Case,
    found: &[(u32, f32)],
    wanted: &[f32],
    tolerance: f32,
) -> Tried {
    let mut found = found.to_vec();
    found.sort_by_key(|(id, _)| *id);
    let largest = wanted.iter().fold(0.0f32, |largest, logit| largest.max(logit.abs()));
    for (&(id, logit), &wanted) in found.iter().zip(wanted) {
        if logit.abs_diff_ne(&wanted, tolerance * largest) {
            let place = format!("prompt {:?}, all logits after it", case.name);
            let wanted = format!("logit {wanted} for token {id}");
            return Err(engine.mistake(way, question, &place, wanted, logit));
        }
    }
    Ok(())
}

/// As many ids, steps and logits as were asked for, each logit once, the best first and chosen.
pub fn complete(
    engine: &Engine,
    way: &Way,
    question: &Question,
    answer: &Answer,
    prompt: &[u32],
    steps: usize,
    logits: usize,
) -> Tried {
    let wrong = |expected: String, found: String| {
        Err(engine.mistake(way, question, "the form of the answer", expected, found))
    };
    if answer.prompt_ids != prompt {
        return wrong(format!("prompt_ids {prompt:?}"), format!("{:?}", answer.prompt_ids));
    }
    if answer.generated_ids.len() != steps {
        let found = format!("{}: {:?}", answer.generated_ids.len(), answer.generated_ids);
        return wrong(format!("{steps} generated_ids"), found);
    }
    if answer.finish_reason != "length" {
        return wrong("finish_reason \"length\"".into(), format!("{:?}", answer.finish_reason));
    }
    if answer.top_logits.len() != steps {
        let found = answer.top_logits.len().to_string();
        return wrong(format!("top_logits of {steps} steps"), found);
    }
    for (step, (top, &id)) in answer.top_logits.iter().zip(&answer.generated_ids).enumerate() {
        let mut ids: Vec<u32> = top.iter().map(|(id, _)| *id).collect();
        ids.sort_unstable();
        ids.dedup();
        if ids.len() != logits || top.len() != logits {
            let found = format!("{} logits of {} tokens", top.len(), ids.len());
            return wrong(format!("step {step}: the logits of {logits} tokens"), found);
        }
        let sorted = top.is_sorted_by(|a, b| a.1 >= b.1);
        if !sorted {
            return wrong(format!("step {step}: logits, the best first"), format!("{top:?}"));
        }
        if top[0].0 != id {
            let found = format!("token {} has the best logit, token {id} came out", top[0].0);
            return wrong(format!("step {step}: the token of the best logit"), found);
        }
    }
    Ok(())
}

pub fn step_words(step: usize) -> String {
    match step {
        0 => "step 0, the pass over the prompt".into(),
        1 => "step 1, the first pass after the prompt".into(),
        _ => format!("step {step}; all before it are right"),
    }
}
