//! One named part of a file: the grain at which the book explains code.
//!
//! An item owns its documentation, its attributes and the blank line before it, so the items joined again are the file.

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Path of the item inside its file, as it appears in names: `impl-Model/fn-forward`.
    pub key: String,
    /// What a reader calls it: `fn forward`.
    pub title: String,
    /// What holds it, if anything: `impl Model`.
    pub within: Option<String>,
    /// Lines with their line ends.
    pub lines: Vec<String>,
}

impl Item {
    pub fn text(&self) -> String {
        self.lines.concat()
    }
}

/// The title of every `use`.
pub const IMPORTS: &str = "the imports";

pub fn lines_of(text: &str) -> Vec<String> {
    text.split_inclusive('\n').map(str::to_string).collect()
}

/// Letters, digits and underscores stay; every run of anything else becomes one dash.
pub fn slug(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c.is_alphanumeric() || c == '_' {
            out.push(c);
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    out.trim_end_matches('-').to_string()
}
