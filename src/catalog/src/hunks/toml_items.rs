//! The items of a Cargo.toml: each table's heading, and each key in it.

use crate::hunks::item::{Item, slug};

pub fn split(lines: &[String]) -> Vec<Item> {
    let mut items = Vec::new();
    let mut pending = Vec::new();
    let mut table = String::new();
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at].trim();
        pending.push(lines[at].clone());
        at += 1;
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if line.starts_with('[') {
            table = line.trim_matches(['[', ']']).to_string();
            items.push(item(&table, "head", format!("[{table}]"), &mut pending));
            continue;
        }
        while open(&pending) && at < lines.len() {
            pending.push(lines[at].clone());
            at += 1;
        }
        let key = line.split('=').next().unwrap_or(line).trim();
        items.push(item(&table, &slug(key), key.to_string(), &mut pending));
    }
    if !pending.is_empty() {
        items.push(Item {
            key: "end".into(),
            title: "the end of the file".into(),
            within: None,
            lines: pending,
        });
    }
    items
}

fn item(table: &str, key: &str, title: String, pending: &mut Vec<String>) -> Item {
    let key = if table.is_empty() { key.to_string() } else { format!("{}/{key}", slug(table)) };
    let within = (!title.starts_with('[') && !table.is_empty()).then(|| format!("[{table}]"));
    Item { key, title, within, lines: std::mem::take(pending) }
}

/// A value that goes on: more brackets opened than closed.
fn open(lines: &[String]) -> bool {
    let mut depth = 0;
    for line in lines.iter().filter(|line| !line.trim_start().starts_with('#')) {
        for c in line.chars() {
            match c {
                '[' | '{' => depth += 1,
                ']' | '}' => depth -= 1,
                _ => {}
            }
        }
    }
    depth > 0
}

#[cfg(test)]
mod tests {
    use crate::hunks::items::items_of;

    #[test]
    fn tables_and_keys() {
        let text = "[package]\nname = \"a\"\n\n[dependencies]\n# why\nground.workspace = true\nx = [\n  1,\n]\n\n# end\n";
        let items = items_of("Cargo.toml", text);
        let keys: Vec<&str> = items.iter().map(|item| item.key.as_str()).collect();
        assert_eq!(
            keys,
            [
                "package/head",
                "package/name",
                "dependencies/head",
                "dependencies/ground-workspace",
                "dependencies/x",
                "end"
            ]
        );
        assert_eq!(items.iter().map(|item| item.text()).collect::<String>(), text);
    }
}
