//? title: Write the test that a cache must pass, and that a wrong one cannot
//? page: ch02/compare.md
//? section: A test that can fail
//? level: deep
//? minutes: 60
//? call: check(answer::parity_test)
//? hint 1: Feed a random sequence to a session, and after every step compare with `whole` of all ids so far. What kinds of mistake would your sequence not show?
//? hint 2: A mistake may need many positions, several ids in one step after others, a second session after a first, or a special id. And compare bits: a sum in another order is nearly right.
//? hint 3: For some twenty rounds: a new session, a random length up to `context_length()`, random ids from the whole vocabulary. Step with chunks of random size from 1 to 8 and compare `to_bits` of every logit after every step. One round must reach the full context.
//? why: The test draws what a person would not think of: long sequences, odd chunks, every id. It compares after every step,
//?   because a wrong row may be forgotten again later. It asks for equal bits, because here they are promised: the order of
//?   every sum is the same on both paths.

//! An engine can be asked in two ways: `whole(ids)` computes everything anew, `session()` gives a session with an empty
//! cache, whose `step(ids)` appends one id or several. Both give the logits of the last id, `[vocab]`. In this course
//! they must be the same bits, always.
//!
//! Write the test: return `Ok(())` for an engine that keeps the promise, and an `Err` that says where it broke (prompt,
//! step, logit, both numbers as `{}` prints them) for one that does not. The check gives you one right engine and fifteen
//! wrong ones, each with one mistake that somebody has really made.
//!
//! Ids run from 0 to `engine.vocab() - 1`; ids and `vocab()` are `u32`. A sequence has at most `engine.context_length()` of
//! them, a `usize`. `random.below(n)` takes a `usize` and draws one from 0 to n - 1.

use exercise_kit::Random;
use exercise_kit::engine::Engine;

pub fn parity_test(engine: &dyn Engine, random: &mut Random) -> Result<(), String> {
    //-- starter
    // todo!()
    //-- solution
    for round in 0..20 {
        let limit = engine.context_length();
        let length = if round == 0 { limit } else { 1 + random.below(limit) };
        let ids: Vec<u32> =
            (0..length).map(|_| random.below(engine.vocab() as usize) as u32).collect();
        let mut session = engine.session();
        let mut done = 0;
        while done < length {
            let chunk = (1 + random.below(8)).min(length - done);
            let cached = session.step(&ids[done..done + chunk]);
            done += chunk;
            let whole = engine.whole(&ids[..done]);
            if cached.len() != whole.len() {
                return Err(format!("{} logits, not {}", cached.len(), whole.len()));
            }
            let differs = |&id: &usize| cached[id].to_bits() != whole[id].to_bits();
            if let Some(id) = (0..whole.len()).find(differs) {
                return Err(format!(
                    "round {round}, {done} ids, the last {chunk} in one step, logit {id}: cached {}, whole {}",
                    cached[id], whole[id]
                ));
            }
        }
    }
    Ok(())
    //-- end
}
