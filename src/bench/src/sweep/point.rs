//! Where a speed is measured: at which length of the prompt, or at which depth.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Where on the curve a cell was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    pub kind: Kind,
    pub tokens: usize,
    #[serde(default)]
    pub new_tokens: usize,
}

/// A prompt of some tokens and a reply, or a few decode steps behind a past of that many tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Prompt,
    Depth,
}

impl Point {
    /// A prompt cannot be empty: depth 0 is measured behind a single token.
    pub fn prompt_tokens(&self) -> usize {
        self.tokens.max(1)
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let kind = if self.kind == Kind::Prompt { "prompt" } else { "depth" };
        write!(f, "{kind} {}", self.tokens)
    }
}
