//! Chapter 13's random schedules, in which everybody guesses. Each answer is what it would be alone and without any guess,
//! the likelihoods too. Some answers are replayed: pieces of the prompt with mistakes, at every distance.

use ch14_speculation as engine;

use engine::batch::forward;
use guessing::{Logits, asked, guesses, guesses_of, new, wanted};
use schedules::{Happened, or_as_many, with_a_model_that_remembers, with_the_tiny_model};

#[path = "../../../tests/shared/guessing.rs"]
mod guessing;
#[path = "../../../tests/shared/schedules.rs"]
mod schedules;

fn assert_guessed(most: u64, happened: Happened) {
    let Happened { guessed, accepted, .. } = happened;
    assert!(accepted > most && guessed - accepted > most, "nothing was guessed: {happened:?}");
}

#[test]
fn in_any_company_each_answer_is_its_own() {
    assert_guessed(1000, with_a_model_that_remembers(0..200));
}

#[test]
#[ignore = "cargo prove: 2,000 schedules, or as many as SCHEDULES says"]
fn in_thousands_of_schedules_each_answer_is_its_own() {
    assert_guessed(1000, with_a_model_that_remembers(or_as_many(2_000)));
}

#[test]
fn with_a_real_model_each_answer_is_its_own() {
    assert_guessed(0, with_the_tiny_model(0..4, forward));
}

#[test]
#[ignore = "cargo prove: 20 schedules of the tiny model, or as many as SCHEDULES says"]
fn in_more_schedules_of_a_real_model_each_answer_is_its_own() {
    assert_guessed(0, with_the_tiny_model(or_as_many(20), forward));
}
