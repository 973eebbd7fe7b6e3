//! `{{#include ...}}`: a page has it where something is made for it, or where it shows a file.
//!
//! We resolve all of them ourselves. mdBook would leave one on the page that leads nowhere, and go on.

use std::ops::Range;
use std::path::Path;

use crate::address::resolve;
use crate::fault::read;
use crate::made::Files;

pub struct Include {
    /// `../generated/ch02/cache/mod.rs.md`, or a file and after a colon the name of an anchor in it, or how the first
    /// of some lines begins, two dots, and how the first line begins that doesn't belong to them any more.
    pub target: String,
    /// From 1.
    pub line: usize,
    range: Range<usize>,
}

/// Every include of a page, also those inside code blocks and sentences. One behind a backslash is text.
pub fn includes(source: &str) -> Vec<Include> {
    const OPENS: &str = "{{#include ";
    let mut found = Vec::new();
    for (start, _) in source.match_indices(OPENS) {
        let Some(end) = source[start..].find("}}").map(|end| start + end) else { break };
        if !source[..start].ends_with('\\') {
            found.push(Include {
                target: source[start + OPENS.len()..end].trim().to_string(),
                line: source[..start].matches('\n').count() + 1,
                range: start..end + 2,
            });
        }
    }
    found
}

/// The page with what its includes bring, or for each that brings nothing its line and why.
pub fn expanded(
    source: &str,
    brings: impl Fn(&str) -> Result<String, String>,
) -> Result<String, Vec<(usize, String)>> {
    let (mut text, mut wrong, mut at) = (String::new(), Vec::new(), 0);
    for include in includes(source) {
        text.push_str(&source[at..include.range.start]);
        match brings(&include.target) {
            Ok(brought) => text.push_str(&brought),
            Err(why) => wrong.push((include.line, why)),
        }
        at = include.range.end;
    }
    text.push_str(&source[at..]);
    let text = text.replace("\\{{#include ", "{{#include ");
    if wrong.is_empty() { Ok(text) } else { Err(wrong) }
}

/// What this include brings to a page: something that was made, or a file. No line end is after its last line.
pub fn brought(book: &Path, made: &Files, page: &str, target: &str) -> Result<String, String> {
    let (path, anchor) = target.split_once(':').unwrap_or((target, ""));
    let inside = resolve(page, path);
    let text = match inside.as_deref().and_then(|path| path.strip_prefix("generated/")) {
        Some(name) => made.get(name).cloned(),
        None => book.join(page).parent().and_then(|folder| read(&folder.join(path)).ok()),
    };
    let text = text.ok_or_else(|| format!("the include '{target}' leads to no file"))?;
    let lines = match anchor.split_once("..") {
        _ if anchor.is_empty() => Some(text.lines().collect()),
        Some((from, to)) => between(&text, from, to),
        None => anchored(&text, anchor),
    };
    Ok(lines.ok_or_else(|| format!("'{path}' has no anchor '{anchor}'"))?.join("\n"))
}

/// The lines between the two comments that name the anchor, without those that name another one.
fn anchored<'a>(text: &'a str, anchor: &str) -> Option<Vec<&'a str>> {
    let marks = |line: &str, mark: &str| {
        line.split_once(mark).is_some_and(|(_, name)| name.trim() == anchor)
    };
    let mut lines = text.lines();
    lines.find(|line| marks(line, "ANCHOR:"))?;
    let rest: Vec<&str> = lines.collect();
    let end = rest.iter().position(|line| marks(line, "ANCHOR_END:"))?;
    let is_code = |line: &&&str| !line.contains("ANCHOR:") && !line.contains("ANCHOR_END:");
    Some(rest[..end].iter().filter(is_code).copied().collect())
}

/// The lines from the one that begins with `from` up to the first that begins with `to`, or to the end of the block.
fn between<'a>(text: &'a str, from: &str, to: &str) -> Option<Vec<&'a str>> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let begins = |line: &str, words: &str| line.trim_start().starts_with(words);
    let mut lines = text.lines().skip_while(|line| !begins(line, from)).peekable();
    let margin = indent(lines.peek()?);
    let more = |line: &&str| {
        line.is_empty() || indent(line) >= margin && (to.is_empty() || !begins(line, to))
    };
    Some(lines.take_while(more).map(|line| line.get(margin..).unwrap_or("")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_gets_what_its_includes_bring_or_says_which_bring_nothing() {
        let page = "A {{#include a}} and {{#include b:c}}.\n\n\\{{#include no}}\n";
        let quoted = |target: &str| Ok(format!("<{target}>"));
        assert_eq!(
            expanded(page, quoted).as_deref(),
            Ok("A <a> and <b:c>.\n\n{{#include no}}\n")
        );
        let none = expanded("\n{{#include a}}\n\n{{#include b}}", |target| Err(target.into()));
        assert_eq!(none, Err(vec![(2, "a".to_string()), (4, "b".to_string())]));
    }

    #[test]
    fn an_anchor_is_the_lines_between_its_comments() {
        let text =
            "a\n// ANCHOR: x\nb\n// ANCHOR: y\nc\n// ANCHOR_END: y\n// ANCHOR_END: x\nd\n";
        assert_eq!(anchored(text, "x"), Some(vec!["b", "c"]));
        assert_eq!(anchored(text, "y"), Some(vec!["c"]));
        assert_eq!(anchored(text, "z"), None);
        assert_eq!(anchored("// ANCHOR: x\nb\n", "x"), None);
    }

    #[test]
    fn lines_can_be_named_by_how_they_begin() {
        let text =
            "fn f() {\n    let a = 1;\n\n    for b in c {\n        d();\n    }\n    e();\n}\n";
        assert_eq!(between(text, "let a", "for"), Some(vec!["let a = 1;", ""]));
        assert_eq!(between(text, "for", "e("), Some(vec!["for b in c {", "    d();", "}"]));
        assert_eq!(between(text, "d", ""), Some(vec!["d();"]));
        assert_eq!(between(text, "e", ""), Some(vec!["e();"]));
        assert_eq!(between(text, "x", ""), None);
    }
}
