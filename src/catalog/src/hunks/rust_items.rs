//! The items of a Rust file as rustfmt lays it out: every item begins on a line of its own.

use crate::hunks::item::{IMPORTS, Item, slug};
use crate::hunks::lexer::{Kind, Token, lex};

/// What the splitter knows of one line.
struct Line<'a> {
    tokens: Vec<Token<'a>>,
    /// Brackets open where the line ends.
    depth_after: usize,
    /// The line begins inside a string or a comment that began on an earlier one.
    continued: bool,
}

pub fn split(source: &str, text: &[String]) -> Vec<Item> {
    let lines = describe(source, text.len());
    let mut splitter =
        Splitter { text, lines, at: 0, items: Vec::new(), containers: Vec::new() };
    splitter.file_head();
    splitter.block(0, None);
    splitter.rest();
    splitter.items
}

fn describe(source: &str, count: usize) -> Vec<Line<'_>> {
    let empty = || Line { tokens: Vec::new(), depth_after: 0, continued: false };
    let mut lines: Vec<Line> = (0..count).map(|_| empty()).collect();
    let (mut at, mut depth) = (0, 0usize);
    for token in lex(source) {
        if let (Kind::Punctuation, Some(c)) = (token.kind, token.text.chars().next()) {
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        if token.kind != Kind::Space {
            lines[at].tokens.push(token);
            lines[at].depth_after = depth;
        }
        for _ in token.text.matches('\n') {
            lines[at].depth_after = depth;
            at += 1;
            if at < count {
                lines[at].continued = token.kind != Kind::Space;
                lines[at].depth_after = depth;
            }
        }
    }
    lines
}

struct Splitter<'a> {
    text: &'a [String],
    lines: Vec<Line<'a>>,
    at: usize,
    items: Vec<Item>,
    /// Names of the `impl` blocks seen, so that a second one of the same name gets a number.
    containers: Vec<String>,
}

impl Splitter<'_> {
    /// Inner documentation and attributes at the top of a file.
    fn file_head(&mut self) {
        let inner = |line: &String| line.starts_with("//!") || line.starts_with("#![");
        let mut end = 0;
        while end < self.text.len() && (inner(&self.text[end]) || self.lines[end].continued) {
            end += 1;
            while end < self.text.len()
                && self.text[end].trim().is_empty()
                && self.text[end + 1..].iter().any(inner)
            {
                end += 1;
            }
        }
        self.take(end, "head", "the head of the file", None);
    }

    /// Items until the bracket that closes this block.
    fn block(&mut self, depth: usize, within: Option<(&str, &str)>) {
        while let Some(start) = self.next_start() {
            if self.lines[start].depth_after < depth {
                return;
            }
            let (key, title) = name(&self.lines[start].tokens, &self.text[start]);
            let end = self.end_of(start, depth);
            let opens = self.open_line(start, end, depth);
            let key = within.map_or(key.clone(), |(outer, _)| format!("{outer}/{key}"));
            if title.starts_with("impl") && end - start > 1 && within.is_none() {
                self.implementation(key, title, opens, end);
            } else {
                self.take(end, &key, &title, within.map(|(_, title)| title));
            }
        }
    }

    fn implementation(&mut self, key: String, title: String, opens: usize, end: usize) {
        self.containers.push(key.clone());
        let same = self.containers.iter().filter(|name| **name == key).count();
        let key = if same > 1 { format!("{key}-{same}") } else { key };
        let head = format!("{key}/head");
        self.take(opens + 1, &head, &title, None);
        self.block(1, Some((&key, &title)));
        self.take(end, &head, &title, None);
    }

    /// The next line that begins an item: not blank, not a comment, not an attribute.
    fn next_start(&self) -> Option<usize> {
        let decoration = |kind| matches!(kind, Kind::Comment | Kind::Attribute);
        (self.at..self.text.len()).find(|&at| {
            let line = &self.lines[at];
            !line.continued && line.tokens.iter().any(|token| !decoration(token.kind))
        })
    }

    /// One past the last line of the item that begins at `start`.
    fn end_of(&self, start: usize, depth: usize) -> usize {
        let ends = |line: &Line| {
            let last = line.tokens.iter().rfind(|token| token.kind != Kind::Comment);
            line.depth_after <= depth
                && last.is_some_and(|token| matches!(token.text, ";" | "}"))
        };
        let next_continues =
            |at: usize| self.lines.get(at + 1).is_some_and(|line| line.continued);
        (start..self.text.len())
            .find(|&at| ends(&self.lines[at]) && !next_continues(at))
            .map_or(self.text.len(), |at| at + 1)
    }

    /// The line on which the body of the item opens.
    fn open_line(&self, start: usize, end: usize, depth: usize) -> usize {
        let opens = |line: &Line| {
            line.depth_after > depth
                && line.tokens.last().is_some_and(|token| token.text == "{")
        };
        (start..end).find(|&at| opens(&self.lines[at])).unwrap_or(start)
    }

    fn take(&mut self, end: usize, key: &str, title: &str, within: Option<&str>) {
        let end = end.max(self.at);
        let lines = self.text[self.at..end].to_vec();
        self.at = end;
        self.items.push(Item {
            key: key.into(),
            title: title.into(),
            within: within.map(str::to_string),
            lines,
        });
    }

    /// Comments after the last item.
    fn rest(&mut self) {
        if self.at < self.text.len() {
            self.take(self.text.len(), "end", "the end of the file", None);
        }
    }
}

/// The key and the title of the item whose first line this is.
fn name(tokens: &[Token], line: &str) -> (String, String) {
    let words: Vec<&str> = tokens.iter().map(|token| token.text).collect();
    let after = |keyword: &str| {
        let at = words.iter().position(|word| *word == keyword)?;
        words[at + 1..].iter().find(|word| **word != "mut").copied()
    };
    if words.contains(&"use") && !words.contains(&"fn") {
        return use_name(line);
    }
    if words.first().is_some_and(|word| *word == "impl")
        || words.starts_with(&["unsafe", "impl"])
    {
        let title = impl_title(line);
        return (slug(&title), title);
    }
    for keyword in ["fn", "struct", "enum", "trait", "union", "type", "mod", "static", "const"]
    {
        if let Some(name) = after(keyword) {
            return (format!("{keyword}-{}", slug(name)), format!("{keyword} {name}"));
        }
    }
    if words.first() == Some(&"macro_rules") {
        let name = words.get(2).unwrap_or(&"");
        return (format!("macro-{name}"), format!("macro {name}"));
    }
    let name = words.first().unwrap_or(&"");
    (format!("call-{}", slug(name)), format!("{name}!"))
}

/// Imports are known by where they import from: `use std::path::Path;` is `use/std-path`.
fn use_name(line: &str) -> (String, String) {
    let path =
        line.split_once("use ").map_or(line, |(_, path)| path).trim().trim_end_matches(';');
    let source = match (path.split_once('{'), path.rsplit_once("::")) {
        (Some((source, _)), _) | (None, Some((source, _))) => source.trim_end_matches("::"),
        (None, None) => path,
    };
    (format!("use/{}", slug(source)), IMPORTS.into())
}

/// `impl<'a> fmt::Display for Tensor<'a> {` is `impl fmt::Display for Tensor`.
fn impl_title(line: &str) -> String {
    let header =
        line.split(['{', '\n']).next().unwrap_or(line).split(" where").next().unwrap_or(line);
    let (mut out, mut angle) = (String::new(), 0);
    for c in header.chars() {
        match c {
            '<' => angle += 1,
            '>' => angle -= 1,
            _ if angle == 0 => out.push(c),
            _ => {}
        }
    }
    out.replace("unsafe ", "").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use crate::hunks::items::items_of;

    const SOURCE: &str = r##"//! What it is.
//! More.

use std::path::Path;

use crate::ops::{
    add,
    scale,
};
use rayon::prelude::*;

mod attention;
mod cache;

/// Small.
const EPS: f32 = 1e-6;

// [rows, hidden]
#[derive(
    Debug,
    Clone,
)]
pub struct Model<'a> {
    name: &'a str,
}

const HELP: &str = r#"
}
fn not_one() {}
"#;

impl<'a> Model<'a> {
    pub const fn new(
        name: &'a str,
    ) -> Self
    where
        Self: Sized,
    {
        Model { name }
    }

    /// Runs.
    pub(crate) fn run(&self) -> [f32; 2] {
        [1.0, 2.0]
    }
}

impl std::fmt::Display for Model<'_> {
    fn fmt(&self) {}
}

unsafe impl Send for Model<'_> {}

#[cfg(unix)]
fn twin() {}

#[cfg(not(unix))]
fn twin() {
    // '{' is "{"
    let _ = '{';
}

thread_local! {
    static X: u8 = 1;
}

// the end
"##;

    #[test]
    fn every_item_has_its_name_and_no_line_is_lost() {
        let items = items_of("src/model.rs", SOURCE);
        let keys: Vec<&str> = items.iter().map(|item| item.key.as_str()).collect();
        assert_eq!(
            keys,
            [
                "head",
                "use/std-path",
                "use/crate-ops",
                "use/rayon-prelude",
                "mod-attention",
                "mod-cache",
                "const-EPS",
                "struct-Model",
                "const-HELP",
                "impl-Model/head",
                "impl-Model/fn-new",
                "impl-Model/fn-run",
                "impl-Model/head",
                "impl-std-fmt-Display-for-Model/head",
                "impl-std-fmt-Display-for-Model/fn-fmt",
                "impl-std-fmt-Display-for-Model/head",
                "impl-Send-for-Model",
                "fn-twin",
                "fn-twin-2",
                "call-thread_local",
                "end",
            ]
        );
        assert_eq!(items.iter().map(|item| item.text()).collect::<String>(), SOURCE);
    }

    #[test]
    fn an_item_owns_its_documentation_and_the_blank_line_before() {
        let items = items_of("src/model.rs", SOURCE);
        let eps = items.iter().find(|item| item.key == "const-EPS").expect("const EPS");
        assert_eq!(eps.text(), "\n/// Small.\nconst EPS: f32 = 1e-6;\n");
        let run = items.iter().find(|item| item.key.ends_with("fn-run")).expect("fn run");
        assert_eq!((run.title.as_str(), run.within.as_deref()), ("fn run", Some("impl Model")));
    }

    #[test]
    fn text_that_is_no_rust_at_all_is_kept() {
        for odd in [
            "",
            "\n",
            "}",
            "}}\n{",
            "fn",
            "impl X {",
            "impl {\n}\n}\nfn a() {}\n",
            "\"\n\n",
            "//!\n\n\n",
            "/*\n*/ fn a() {}\n",
        ] {
            assert_eq!(
                items_of("x.rs", odd).iter().map(|item| item.text()).collect::<String>(),
                odd
            );
        }
    }
}
