//! One suite for every engine: what is true of all of them, asked through the program's own command line.
//!
//! `tests/` runs it on every chapter that it finds, and `cargo run -- check` on the reader's.

pub mod ask;
pub mod beside;
pub mod ends;
pub mod figures;
pub mod judge;
pub mod pinned;
pub mod refusals;
pub mod states;
pub mod ways;

use std::path::Path;

use ground::error::Error;

pub use ask::{Answer, Engine, Mistake, Question};
use judge::{Judgement, MODELS};
use pinned::Said;

/// All that engines are held against, read once.
pub struct Suite {
    root: std::path::PathBuf,
    judgements: Vec<Judgement>,
    pinned: Vec<Said>,
}

/// One thing that must be true of an engine.
pub struct Topic {
    pub name: String,
    try_it: TryIt,
}

type TryIt = Box<dyn Fn(&Suite, &Engine) -> Result<(), Mistake> + Send + Sync>;

impl Suite {
    pub fn read(root: &Path) -> Result<Suite, Error> {
        let judgements = MODELS.iter().map(|model| Judgement::read(root, model));
        Ok(Suite {
            root: root.into(),
            judgements: judgements.collect::<Result<_, _>>()?,
            pinned: pinned::read(root)?,
        })
    }

    pub fn judgement(&self, model: usize) -> &Judgement {
        &self.judgements[model]
    }

    pub fn judgements(&self) -> &[Judgement] {
        &self.judgements
    }

    /// What is told apart when something is wrong, the plainest first.
    pub fn topics() -> Vec<Topic> {
        let mut topics = Vec::new();
        let mut add = |name: String, try_it: TryIt| topics.push(Topic { name, try_it });
        for (index, model) in MODELS.iter().enumerate() {
            add(
                format!("layers of {model}"),
                Box::new(move |suite, engine| states::agree(engine, suite.judgement(index))),
            );
        }
        for (index, model) in MODELS.iter().enumerate() {
            add(
                format!("tokens and logits of {model}"),
                Box::new(move |suite, engine| judge::agrees(engine, suite.judgement(index))),
            );
        }
        for (index, model) in MODELS.iter().enumerate() {
            add(
                format!("every way to the bit, {model}"),
                Box::new(move |suite, engine| ways::agree(engine, suite.judgement(index))),
            );
        }
        add(
            "drawn tokens in every way".into(),
            Box::new(|suite, engine| ways::draw_alike(engine, suite.judgement(0))),
        );
        add(
            "how a run ends".into(),
            Box::new(|suite, engine| ends::as_scripted(engine, &suite.root)),
        );
        add(
            "what is pinned".into(),
            Box::new(|suite, engine| pinned::as_in_the_snapshot(engine, &suite.pinned)),
        );
        add(
            "figures add up".into(),
            Box::new(|suite, engine| figures::add_up(engine, suite.judgement(1))),
        );
        add(
            "refusals".into(),
            Box::new(|suite, engine| refusals::are_one_line(engine, &suite.root)),
        );
        topics
    }
}

impl Topic {
    pub fn try_on(&self, suite: &Suite, engine: &Engine) -> Result<(), Mistake> {
        (self.try_it)(suite, engine)
    }
}
