//! Faults that somebody puts in on purpose, so that whatever should notice them can be seen to.
//!
//! A file of them holds, for each fault:
//!
//! ```toml
//! [[fault]]
//! name = "the mask forgets the cache"       # unique in its file
//! file = "src/attention.rs"                 # unless all faults of this file change the same text
//! stands = "(q_base + row + 1)"             # is there exactly once
//! becomes = "(row + 1)"
//! red = "--test engines"    # how it is noticed: arguments of a test, or words of a refusal
//! why = "In a single pass q_base is 0."     # why somebody would write this; may be absent
//! ```
//!
//! The name of the file may stand in the place of `fault`: `[["src/attention.rs"]]`. `red` may be a list. Where one change isn't enough, a `[[fault.change]]` for each holds `stands` and `becomes`.
//!
//! In a chapter's `faults.toml`, `red` is the arguments of `cargo test` (with a `-p` where it isn't the chapter's own), `check`
//! is what a reader's `check` says of the finished chapter beside naming the file, and `page` is the page of the book at the
//! end of which `check` names the file, or says `red` where that is no test; `a | b` is one of the two.
//! `run.py` puts them in.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde::Deserialize;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub name: String,
    pub file: Option<String>,
    pub changes: Vec<Change>,
    pub red: Vec<String>,
    pub check: Vec<String>,
    pub page: Option<String>,
    pub why: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    pub stands: String,
    pub becomes: String,
}

/// A fault as its file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: String,
    file: Option<String>,
    stands: Option<String>,
    becomes: Option<String>,
    #[serde(default)]
    change: Vec<Change>,
    #[serde(default)]
    red: Words,
    #[serde(default)]
    check: Words,
    page: Option<String>,
    why: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Words {
    One(String),
    Many(Vec<String>),
}

impl Default for Words {
    fn default() -> Words {
        Words::Many(Vec::new())
    }
}

impl Words {
    fn list(self) -> Vec<String> {
        match self {
            Words::One(words) => vec![words],
            Words::Many(list) => list,
        }
    }
}

/// The faults that the file lists, those of a file together, in its order.
pub fn read(path: &Path) -> Result<Vec<Fault>, String> {
    let place = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = fs::read_to_string(path).map_err(|error| place(&error))?;
    parse(&text).map_err(|error| place(&error))
}

/// The faults of a file with this text.
pub fn parse(text: &str) -> Result<Vec<Fault>, String> {
    let listed: BTreeMap<String, Vec<Written>> =
        toml_edit::de::from_str(text).map_err(|error| error.to_string())?;
    let mut faults = Vec::new();
    for (key, written) in listed {
        let file = (key != "fault").then_some(key);
        for one in written {
            faults.push(one.fault(file.clone())?);
        }
    }
    let mut names = BTreeSet::new();
    match faults.iter().find(|fault| !names.insert(&fault.name)) {
        Some(twice) => Err(format!("two faults are called {:?}", twice.name)),
        None => Ok(faults),
    }
}

impl Written {
    fn fault(self, of: Option<String>) -> Result<Fault, String> {
        let Written { name, file, stands, becomes, change, red, check, page, why } = self;
        let wrong = |what: &str| Err(format!("{name:?} {what}"));
        let changes = match (stands, becomes) {
            (Some(stands), Some(becomes)) if change.is_empty() => {
                vec![Change { stands, becomes }]
            }
            (None, None) if !change.is_empty() => change,
            _ => return wrong("needs `stands` and `becomes`, or a list of `change`"),
        };
        if changes.iter().any(|change| change.stands.is_empty()) {
            return wrong("has an empty `stands`");
        }
        if changes.iter().any(|change| change.stands == change.becomes) {
            return wrong("changes nothing");
        }
        if of.is_some() && file.is_some() {
            return wrong("names two files");
        }
        let (red, check) = (red.list(), check.list());
        if red.iter().chain(&check).any(|words| words.trim().is_empty()) {
            return wrong("is noticed by an empty word, which is always there");
        }
        if red.is_empty() && check.is_empty() && page.is_none() {
            return wrong("doesn't say how it is noticed");
        }
        Ok(Fault { name, file: of.or(file), changes, red, check, page, why })
    }
}

impl Fault {
    /// The arguments of the test that turns red.
    pub fn test(&self) -> Option<&str> {
        self.red.first().map(String::as_str).filter(|red| red.starts_with('-'))
    }

    /// The text with the fault in it.
    pub fn apply(&self, text: &str) -> Result<String, String> {
        self.changes.iter().try_fold(text.to_string(), |text, Change { stands, becomes }| {
            match text.matches(stands).count() {
                1 => Ok(text.replacen(stands, becomes, 1)),
                count => Err(format!(
                    "{:?}: expected its text once, found it {count} times: {stands:?}",
                    self.name
                )),
            }
        })
    }
}
