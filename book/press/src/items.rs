//! Cuts a file into its named parts, by the rules of its language.

use std::collections::HashMap;

use crate::item::{Item, lines_of};
use crate::{rust_items, toml_items};

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

/// Two items of one name (twins under `cfg`, say) become `name` and `name-2`. The two ends of one `impl` stay one.
fn number_doubles(items: &mut [Item]) {
    let mut seen = HashMap::<String, usize>::new();
    for item in items.iter_mut().filter(|item| !item.key.ends_with("/head")) {
        let count = seen.entry(item.key.clone()).or_default();
        *count += 1;
        if *count > 1 {
            item.key = format!("{}-{count}", item.key);
        }
    }
}
