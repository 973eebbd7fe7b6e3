//! Cuts a file into its named parts: the grain at which the book explains code.
//!
//! An item owns its documentation, its attributes and the blank line before it, so the items joined again are the file.

use crate::{rust_items, toml_items};

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

pub fn items_of(path: &str, text: &str) -> Vec<Item> {
    let lines = lines_of(text);
    let mut items = match path.rsplit('.').next() {
        Some("rs") => rust_items::split(text, &lines),
        Some("toml") => toml_items::split(&lines),
        _ => vec![Item { key: "all".into(), title: "the file".into(), within: None, lines }],
    };
    items.retain(|item| !item.lines.is_empty());
    number_doubles(&mut items);
    items
}

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

/// Two items of one name (twins under `cfg`, say) become `name` and `name-2`. The two ends of one `impl` stay one.
fn number_doubles(items: &mut [Item]) {
    let mut seen = std::collections::HashMap::<String, usize>::new();
    for item in items.iter_mut().filter(|item| !item.key.ends_with("/head")) {
        let count = seen.entry(item.key.clone()).or_default();
        *count += 1;
        if *count > 1 {
            item.key = format!("{}-{count}", item.key);
        }
    }
}
