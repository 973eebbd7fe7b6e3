//! What rounding changes in what the reference says: the embedded model's judgement beside the rounded one. Both were
//! made by `lab/reference/judge.py`.

use judge::judgement::{Case, Judgement, MODELS};
use test_support::root;

/// For so many of the 16 prompts all tokens are the same.
const SAME: usize = 13;
/// What counts as close: a part of what rounding changes in a logit.
const CLOSE: f32 = 0.05;

fn judged(model: &str, judge: Option<&str>) -> Judgement {
    Judgement::read(&root(), model, judge).expect("the judgement can be read")
}

/// The first step at which rounding leads to another token, and how close the best two were without it.
fn parting(plain: &Case, rounded: &Case) -> Option<(usize, f32)> {
    let mut pairs = plain.generated_ids.iter().zip(&rounded.generated_ids);
    let step = pairs.position(|(plain, rounded)| plain != rounded)?;
    Some((step, plain.top[step][0].1 - plain.top[step][1].1))
}

#[test]
fn rounding_changes_few_tokens_and_only_where_two_are_close() {
    let (plain, rounded) = (judged(MODELS[0], None), judged(MODELS[0], Some("rounded")));
    let (mut partings, mut widest) = (Vec::new(), 0.0f32);
    for case in &plain.cases {
        let other = rounded.cases.iter().find(|other| other.name == case.name);
        let other = other.unwrap_or_else(|| panic!("{:?} was not judged again", case.name));
        assert_eq!(case.prompt_ids, other.prompt_ids, "{}", case.name);
        assert_eq!(case.generated_ids.len(), other.generated_ids.len(), "{}", case.name);
        if let Some((step, margin)) = parting(case, other) {
            partings.push(format!("{:?} at step {step}, margin {margin}", case.name));
            widest = widest.max(margin);
        }
    }
    let (same, list) = (plain.cases.len() - partings.len(), partings.join("\n"));
    assert!(same >= SAME && widest <= CLOSE, "{same} are the same; the others part:\n{list}");
}

/// Without these an engine that does not round would pass: where nothing is sure, the tolerance is as wide as rounding is.
#[test]
fn a_judgement_of_rounded_products_has_prompts_on_which_all_is_sure() {
    for model in ["tiny-qwen3", "three-to-one-odd-vocab"] {
        let judgement = judged(model, Some("rounded"));
        for length in [1, 2, 7, 33, 64, 200] {
            let sure = judgement.cases.iter().any(|case| {
                case.prompt_ids.len() == length && case.sure == Some(case.generated_ids.len())
            });
            assert!(sure, "{model}: no prompt of {length} tokens is sure");
        }
    }
}
