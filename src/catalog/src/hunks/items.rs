//! Cuts a file into its named parts, by the rules of its language.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::hunks::item::{Item, lines_of};
use crate::hunks::{rust_items, toml_items};

thread_local! {
    /// Most files are the same in many chapters and steps, and each of these is asked for.
    static KNOWN: RefCell<HashMap<(String, String), Vec<Item>>> = RefCell::default();
}

pub fn items_of(path: &str, text: &str) -> Vec<Item> {
    let kind = path.rsplit('.').next().unwrap_or_default();
    let key = (kind.to_string(), text.to_string());
    if let Some(items) = KNOWN.with_borrow(|known| known.get(&key).cloned()) {
        return items;
    }
    let items = cut(kind, text);
    KNOWN.with_borrow_mut(|known| known.insert(key, items.clone()));
    items
}

fn cut(kind: &str, text: &str) -> Vec<Item> {
    let lines = lines_of(text);
    let mut items = match kind {
        "rs" => rust_items::split(text, &lines),
        "toml" => toml_items::split(&lines),
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
