//? title: Write the test that a cache must pass, and that a wrong one cannot
//? page: ch02/compare.md
//? section: A test that can fail
//? level: deep
//? minutes: 60
//? call: check(parity_test)
//? hint 1: Feed a random sequence to a session, and after every step compare with `whole` of all ids so far. What kinds of mistake would your sequence not show?
//? hint 2: A mistake may need many positions, several ids in one step after others, a second session after a first, or a special id. And compare bits: a sum in another order is nearly right.
//? hint 3: For some twenty rounds: a new session, a random length up to `context_length()`, random ids from the whole vocabulary. Step with chunks of random size from 1 to 8 and compare `to_bits` of every logit after every step. One round must reach the full context.
//? why: The test draws what a person would not think of: long sequences, odd chunks, every id. It compares after every step,
//?   because a wrong row may be forgotten again later. It asks for equal bits, because here they are promised: the order of
//?   every sum is the same on both paths.

// An engine can be asked in two ways: `whole(ids)` computes everything anew, `session()` gives a session with an empty
// cache, whose `step(ids)` appends one id or several. Both give the logits of the last id, `[vocab]`. In this course
// they must be the same bits, always.
//
// Write the test: return `Ok(())` for an engine that keeps the promise, and an `Err` that says where it broke (prompt,
// step, logit, both numbers as `{}` prints them) for one that does not. The check gives you one right engine and eight
// wrong ones, each with one mistake that somebody has really made.
//
// Ids run from 0 to `engine.vocab() - 1`; ids and `vocab()` are `u32`. A sequence has at most `engine.context_length()` of
// them, a `usize`. `random.below(n)` takes a `usize` and draws one from 0 to n - 1.

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

//-- check
pub mod check {
    use exercise_kit::engine::{Engine, Session};
    use exercise_kit::{Checked, Failure, Random, call};
    use std::cell::RefCell;

    const VOCAB: u32 = 40;
    const WIDTH: usize = 4;
    const CONTEXT: usize = 96;

    /// What a planted engine does wrong, and only with a cache.
    #[derive(Clone, Copy, Default, PartialEq)]
    enum Bug {
        #[default]
        None,
        PositionRestarts,
        HidesItself,
        ChunkForgetsCache,
        Overflows,
        OtherOrder,
        NotCleared,
        LastId,
        OneStep,
    }

    /// Bug, what the check says when the reader's test lets it pass.
    const PLANTED: [(Bug, &str, &str); 8] = [
        (
            Bug::PositionRestarts,
            "an engine whose positions start at 0 on every step",
            "the test compares nothing that depends on more than one step: ask after every step",
        ),
        (
            Bug::HidesItself,
            "an engine in which a token that comes after others does not see itself",
            "the test does not compare the steps after the first",
        ),
        (
            Bug::ChunkForgetsCache,
            "an engine that masks a chunk as if the cache were empty",
            "the test never gives several ids in one step to a session that already holds some",
        ),
        (
            Bug::Overflows,
            "an engine that loses rows after the first 64",
            "the test's sequences are too short: go to context_length()",
        ),
        (
            Bug::OtherOrder,
            "an engine that adds in another order when it has a cache",
            "the test compares the logits, but not bit for bit: use to_bits() of every logit",
        ),
        (
            Bug::NotCleared,
            "an engine whose second session finds the rows of the first",
            "the test never opens a second session",
        ),
        (
            Bug::LastId,
            "an engine that embeds the last id of the vocabulary wrongly",
            "the test does not draw from the whole vocabulary: 0 to vocab() - 1",
        ),
        (
            Bug::OneStep,
            "an engine that is wrong in one step, and right again after it",
            "the test does not compare after every step: a wrong one may leave no trace",
        ),
    ];

    pub fn check(answer: fn(&dyn Engine, &mut Random) -> Result<(), String>) -> Checked {
        let case = "your test on the right engine";
        if let Err(message) = call(case, || answer(&Toy::default(), &mut Random::new(6)))? {
            return Err(Failure::new(case, "Ok(())", format!("Err({message:?})")).likely(
                "the test rejects the right engine: does it compare the same ids on both sides?",
            ));
        }
        let mut messages = Vec::new();
        for (bug, engine, reason) in PLANTED {
            let case = format!("your test on {engine}");
            let toy = Toy { bug, ..Toy::default() };
            let Err(message) = call(&case, || answer(&toy, &mut Random::new(6)))? else {
                return Err(Failure::new(&case, "Err(...)", "Ok(())").likely(reason));
            };
            messages.push((case, message, toy));
        }
        for (case, message, toy) in messages {
            let shown =
                |x: f32| [format!("{x}"), format!("{x:?}"), format!("{:08x}", x.to_bits())];
            let says = |x: &f32| shown(*x).iter().any(|digits| message.contains(digits));
            // A test stops at the first difference, or soon after it.
            let said = |all: Vec<Vec<f32>>| -> Vec<u32> {
                let last = all.iter().rev().take(16).flatten();
                last.filter(|x| says(x)).map(|x| x.to_bits()).collect()
            };
            let (cached, whole) = (said(toy.cached.take()), said(toy.whole.take()));
            if !cached.iter().any(|c| whole.iter().any(|w| c != w)) {
                let wanted = "a message with the prompt or its length, the step, the logit and both numbers";
                return Err(Failure::new(&case, wanted, format!("Err({message:?})")).likely(
                    "the message does not hold the two numbers that differ, as {} prints them",
                ));
            }
        }
        Ok(())
    }

    /// One attention head over hashed embeddings: small, and sensitive to every position and id.
    #[derive(Default)]
    struct Toy {
        bug: Bug,
        rows: RefCell<Vec<Row>>,
        // What it has said, so that a message can be compared with it.
        cached: RefCell<Vec<Vec<f32>>>,
        whole: RefCell<Vec<Vec<f32>>>,
    }

    #[derive(Clone)]
    struct Row {
        key: [f32; WIDTH],
        value: [f32; WIDTH],
    }

    impl Engine for Toy {
        fn vocab(&self) -> u32 {
            VOCAB
        }

        fn context_length(&self) -> usize {
            CONTEXT
        }

        fn whole(&self, ids: &[u32]) -> Vec<f32> {
            let logits = step(&mut Vec::new(), ids, Bug::None);
            self.whole.borrow_mut().push(logits.clone());
            logits
        }

        fn session(&self) -> Box<dyn Session + '_> {
            if self.bug != Bug::NotCleared {
                self.rows.borrow_mut().clear();
            }
            Box::new(Cached(self))
        }
    }

    struct Cached<'a>(&'a Toy);

    impl Session for Cached<'_> {
        fn step(&mut self, ids: &[u32]) -> Vec<f32> {
            let before = self.0.rows.borrow().len();
            let mut logits = step(&mut self.0.rows.borrow_mut(), ids, self.0.bug);
            if self.0.bug == Bug::OneStep && before < 50 && before + ids.len() >= 50 {
                logits[3] += 0.5;
            }
            self.0.cached.borrow_mut().push(logits.clone());
            logits
        }
    }

    fn embedding(id: u32) -> [f32; WIDTH] {
        let mut random = Random::new(u64::from(id) + 100);
        std::array::from_fn(|_| random.number())
    }

    /// The embedding turned by the position, two numbers at a time.
    fn turned(x: [f32; WIDTH], position: usize) -> [f32; WIDTH] {
        let half = WIDTH / 2;
        std::array::from_fn(|i| {
            let angle = position as f32 / (1 + 9 * (i % half)) as f32;
            let other = if i < half { -x[i + half] } else { x[i - half] };
            2.0 * (x[i] * angle.cos() + other * angle.sin())
        })
    }

    fn step(rows: &mut Vec<Row>, ids: &[u32], bug: Bug) -> Vec<f32> {
        let base = rows.len();
        let mut query = [0.0; WIDTH];
        for (t, &id) in ids.iter().enumerate() {
            let position = if bug == Bug::PositionRestarts { t } else { base + t };
            let wrong_id = bug == Bug::LastId && id == VOCAB - 1;
            let x = embedding(if wrong_id { 0 } else { id });
            query = turned(x, position);
            if bug != Bug::Overflows || rows.len() < 64 {
                rows.push(Row { key: query, value: x });
            } else {
                rows[63] = Row { key: query, value: x };
            }
        }
        let mut visible: Vec<Row> = rows.clone();
        if base > 0 {
            match bug {
                Bug::HidesItself => drop(visible.pop()),
                Bug::ChunkForgetsCache if ids.len() > 1 => visible.truncate(ids.len()),
                Bug::OtherOrder => visible.reverse(),
                _ => {}
            }
        }
        let weights: Vec<f32> = visible
            .iter()
            .map(|row| row.key.iter().zip(query).map(|(k, q)| k * q).sum::<f32>().exp())
            .collect();
        let sum: f32 = weights.iter().sum();
        let mut out = [0.0; WIDTH];
        for (weight, row) in weights.iter().zip(&visible) {
            for (o, v) in out.iter_mut().zip(row.value) {
                *o += weight / sum * v;
            }
        }
        (0..VOCAB).map(|id| embedding(id).iter().zip(out).map(|(e, o)| e * o).sum()).collect()
    }
}
