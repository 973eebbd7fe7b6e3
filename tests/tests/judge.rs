//! Every chapter against the judge: tokens, logits, and the state after every layer.

use course_tests::engines::{Ch00, Ch01, Ch02, Ch03, Engine};
use course_tests::judge::{MODELS, judgement};
use ground::sample::argmax;

/// Within this part of the row's largest magnitude a number counts as the judge's.
const TOLERANCE: f32 = 1e-4;

fn largest(row: &[f32]) -> f32 {
    row.iter().fold(0.0, |largest, value| value.abs().max(largest))
}

fn assert_row_close(found: &[f32], expected: &[f32], place: &str) {
    assert_eq!(found.len(), expected.len(), "{place}: another number of values");
    let epsilon = TOLERANCE * largest(expected);
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!(
            approx::abs_diff_eq!(found, expected, epsilon = epsilon),
            "{place}, value {index}: {found}, but the judge says {expected}"
        );
    }
}

/// Prompt and the judge's tokens in one pass: every row's best token must be the judge's next.
fn teacher_forced<E: Engine>() {
    for model in MODELS {
        let (judgement, file) = judgement(model);
        let engine = E::load(file);
        for case in &judgement.cases {
            let mut ids = case.prompt_ids.clone();
            ids.extend(&case.generated_ids[..case.generated_ids.len() - 1]);
            let logits = engine.forward_all(&ids);
            for (step, (&id, top)) in case.generated_ids.iter().zip(&case.top).enumerate() {
                let row = logits.row(case.prompt_ids.len() - 1 + step);
                let row = row.as_slice().expect("a row lies in one piece");
                let place = format!("{model}, {}, step {step}", case.name);
                assert_eq!(argmax(row), id, "{place}: another token than the judge's");
                let epsilon = TOLERANCE * largest(row);
                for &(id, logit) in top {
                    assert!(
                        approx::abs_diff_eq!(row[id as usize], logit, epsilon = epsilon),
                        "{place}, token {id}: {} but the judge says {logit}",
                        row[id as usize]
                    );
                }
            }
            if let Some(last) = &case.last_logits {
                let row = logits.row(case.prompt_ids.len() - 1);
                let place = format!("{model}, {}, last row of the prompt", case.name);
                assert_row_close(row.as_slice().expect("one piece"), last, &place);
            }
        }
    }
}

/// Token after token as a user would get them, for the prompts that are short enough to wait for.
fn free_running<E: Engine>(longest_prompt: usize) {
    for model in MODELS {
        let (judgement, file) = judgement(model);
        let engine = E::load(file);
        for case in
            judgement.cases.iter().filter(|case| case.prompt_ids.len() <= longest_prompt)
        {
            let found = engine.greedy(&case.prompt_ids, case.generated_ids.len());
            let same =
                found.iter().zip(&case.generated_ids).take_while(|(a, b)| a == b).count();
            assert_eq!(
                found, case.generated_ids,
                "{model}, {}: differs from the judge at step {same}",
                case.name
            );
        }
    }
}

/// So that a wrong chapter says in which layer it goes wrong.
fn layer_by_layer<E: Engine>() {
    for model in MODELS {
        let (judgement, file) = judgement(model);
        let states = E::load(file).states(&judgement.hidden.prompt_ids);
        let expected: Vec<_> = std::iter::once(&judgement.hidden.embedding)
            .chain(&judgement.hidden.layers)
            .collect();
        assert_eq!(states.len(), expected.len(), "{model}: another number of layers");
        for (stage, (found, expected)) in states.iter().zip(expected).enumerate() {
            for (row, expected) in expected.iter().enumerate() {
                let found = found.row(row);
                let place = match stage {
                    0 => format!("{model}, embedding, row {row}"),
                    layer => format!("{model}, after layer {}, row {row}", layer - 1),
                };
                assert_row_close(found.as_slice().expect("one piece"), expected, &place);
            }
        }
    }
}

#[test]
fn ch00_teacher_forced() {
    teacher_forced::<Ch00>();
}

#[test]
fn ch00_free_running() {
    free_running::<Ch00>(64);
}

#[test]
fn ch00_layer_by_layer() {
    layer_by_layer::<Ch00>();
}

// Chapter 1 computes as chapter 0 does; that it does is checked on less, and bit by bit elsewhere.
#[test]
fn ch01_teacher_forced() {
    teacher_forced::<Ch01>();
}

#[test]
fn ch01_free_running() {
    free_running::<Ch01>(7);
}

#[test]
fn ch02_teacher_forced() {
    teacher_forced::<Ch02>();
}

#[test]
fn ch02_free_running() {
    free_running::<Ch02>(usize::MAX);
}

#[test]
fn ch02_layer_by_layer() {
    layer_by_layer::<Ch02>();
}

#[test]
fn ch03_teacher_forced() {
    teacher_forced::<Ch03>();
}

#[test]
fn ch03_free_running() {
    free_running::<Ch03>(usize::MAX);
}

#[test]
fn ch03_layer_by_layer() {
    layer_by_layer::<Ch03>();
}
