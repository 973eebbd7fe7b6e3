//! One suite for every engine: what is true of all of them, asked through the program's own command line.
//!
//! `tests/` runs it on every chapter that it finds, and `cargo run -- check` on the reader's.

pub mod beside;
pub mod build;
pub mod ends;
pub mod engine;
pub mod figures;
pub mod judgement;
pub mod pinned;
pub mod profile;
pub mod refusals;
pub mod serves;
pub mod states;
pub mod time_limit;
pub mod unjudged;
pub mod ways;
mod wrong;

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use ground::error::Error;
use ground::machine::Machine;

pub use engine::{Answer, Engine, Mistake, Question, Tried};
use judgement::{JUDGES, Judgement, MODELS};

/// All that engines are held against, read once.
pub struct Suite {
    root: PathBuf,
    /// For each of [`JUDGES`] the judgements of all models.
    judgements: Vec<Vec<Judgement>>,
}

/// Of all that decides what the suite says of a program, but for the program: the suite, as part of the program that runs
/// now, the fixtures, and what this processor can do.
pub fn fingerprint(root: &Path) -> Result<u64, Error> {
    let mut hasher = DefaultHasher::new();
    Machine::describe().features.hash(&mut hasher);
    let mut files = vec![std::env::current_exe()?];
    let judges = JUDGES.map(|judge| format!("fixtures/judge/{}", judge.unwrap_or_default()));
    let others = ["fixtures/models".into(), "snapshots".into()];
    for folder in judges.into_iter().chain(others) {
        let entries = fs::read_dir(root.join("tests").join(folder))?;
        let mut found = entries
            .map(|entry| Ok(entry?.path()))
            .collect::<Result<Vec<PathBuf>, std::io::Error>>()?;
        found.retain(|path| path.is_file());
        found.sort();
        files.append(&mut found);
    }
    for file in files {
        fs::read(file)?.hash(&mut hasher);
    }
    Ok(hasher.finish())
}

/// In how many of its ways an engine is asked.
#[derive(Clone, Copy, PartialEq)]
pub enum Asked {
    /// The last one, and by `cargo prove` the first.
    InOneWay,
    /// The first and the last.
    InTwoWays,
    InAllWays,
}

/// One thing that must be true of an engine.
pub struct Topic {
    pub name: String,
    /// When it is wrong, some layer may have computed other numbers.
    pub is_about_numbers: bool,
    pub asked: Asked,
    /// Seconds rather than a moment.
    pub is_long: bool,
    try_it: TryIt,
}

type TryIt = Box<dyn Fn(&Suite, &Engine) -> Tried + Send + Sync>;

impl Suite {
    pub fn read(root: &Path) -> Result<Suite, Error> {
        let all =
            |judge| MODELS.iter().map(|model| Judgement::read(root, model, judge)).collect();
        let judgements = JUDGES.into_iter().map(all).collect::<Result<_, _>>()?;
        Ok(Suite { root: root.into(), judgements })
    }

    /// What this engine is held to, for each of the models.
    pub fn judgements(&self, engine: &Engine) -> &[Judgement] {
        let judge = JUDGES.iter().position(|judge| *judge == engine.judge.as_deref());
        &self.judgements[judge.expect("a chapter's judge is one of JUDGES")]
    }

    /// What is told apart when something is wrong, the plainest first, and what takes long last. A program that serves is
    /// asked at its port as well.
    pub fn topics(serves: bool) -> Vec<Topic> {
        use Asked::{InAllWays, InOneWay, InTwoWays};
        let mut topics = Vec::new();
        let mut add = |name: String, is_about_numbers, asked, try_it: TryIt| {
            topics.push(Topic { name, is_about_numbers, asked, is_long: false, try_it });
        };
        type OfModel = fn(&Engine, &Judgement) -> Tried;
        let of_model = |of_model: OfModel, index: usize| -> TryIt {
            Box::new(move |suite, engine| of_model(engine, &suite.judgements(engine)[index]))
        };
        for (index, model) in MODELS.iter().enumerate() {
            add(format!("layers, {model}"), true, InAllWays, of_model(states::agree, index));
        }
        if serves {
            add("at its port".into(), false, InTwoWays, of_model(serves::says_the_same, 0));
        }
        add("a prompt in chunks".into(), false, InAllWays, of_model(profile::in_chunks, 1));
        for (index, model) in MODELS.iter().enumerate() {
            let name = format!("tokens and logits, {model}");
            add(name, true, InOneWay, of_model(judgement::agrees, index));
        }
        // Before all that is said in words: what it finds is in the loop.
        let ends: TryIt = Box::new(|suite, engine| ends::as_scripted(engine, &suite.root));
        add("how a run ends".into(), false, InOneWay, ends);
        add("drawn tokens in every way".into(), true, InTwoWays, of_model(ways::draw_alike, 0));
        let pinned: TryIt =
            Box::new(|suite, engine| pinned::as_in_the_snapshot(engine, &suite.root));
        // Of two it asks the one that remembers.
        add("what is pinned".into(), true, InTwoWays, pinned);
        add("figures add up".into(), false, InTwoWays, of_model(figures::add_up, 1));
        let refusals: TryIt =
            Box::new(|suite, engine| refusals::are_one_line(engine, &suite.root));
        add("refusals".into(), false, InTwoWays, refusals);

        let mut add = |name, try_it| {
            let long =
                Topic { name, is_about_numbers: true, asked: InAllWays, is_long: true, try_it };
            topics.push(long);
        };
        for (index, model) in MODELS.iter().enumerate() {
            add(format!("every way to the bit, {model}"), of_model(ways::agree, index));
        }
        for model in unjudged::MODELS {
            let agrees: TryIt =
                Box::new(move |suite, engine| unjudged::agrees(engine, &suite.root, model));
            add(format!("every way to the bit, {model}"), agrees);
        }
        topics
    }
}

impl Topic {
    pub fn try_on(&self, suite: &Suite, engine: &Engine) -> Tried {
        (self.try_it)(suite, engine)
    }
}
