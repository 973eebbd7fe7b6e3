//! Code as HTML, a string per line; colours come from classes, so that each theme brings its own.

use crate::lexer::{Kind, lex};

pub fn html_lines(path: &str, text: &str) -> Vec<String> {
    match path.rsplit('.').next() {
        Some("rs") => {
            pieces_to_lines(lex(text).iter().map(|token| (class(token.kind), token.text)))
        }
        Some("toml") => text.lines().map(toml_line).collect(),
        _ => text.lines().map(escape).collect(),
    }
}

fn class(kind: Kind) -> &'static str {
    match kind {
        Kind::Comment => "c",
        Kind::Text => "s",
        Kind::Number => "n",
        Kind::Keyword => "k",
        Kind::Type => "t",
        Kind::Constant => "o",
        Kind::Function => "f",
        Kind::Macro => "m",
        Kind::Lifetime => "l",
        Kind::Attribute => "a",
        Kind::Space | Kind::Name | Kind::Punctuation => "",
    }
}

/// A piece that spans lines is closed and opened again at each line's end.
fn pieces_to_lines<'a>(pieces: impl Iterator<Item = (&'static str, &'a str)>) -> Vec<String> {
    let mut lines = vec![String::new()];
    for (class, text) in pieces {
        for (at, part) in text.split('\n').enumerate() {
            if at > 0 {
                lines.push(String::new());
            }
            if let Some(line) = lines.last_mut().filter(|_| !part.is_empty()) {
                line.push_str(&span(class, part));
            }
        }
    }
    if lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

fn span(class: &str, text: &str) -> String {
    if class.is_empty() {
        escape(text)
    } else {
        format!("<b class=\"{class}\">{}</b>", escape(text))
    }
}

fn toml_line(line: &str) -> String {
    if line.trim_start().starts_with('#') {
        return span("c", line);
    }
    if line.starts_with('[') {
        return span("k", line);
    }
    match line.split_once(" = ") {
        Some((key, value)) => format!("{} = {}", escape(key), span("s", value)),
        None => escape(line),
    }
}

/// Also hides mdBook's own `{{#` from mdBook.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace("{{#", "&#123;{#")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_string_per_line_and_comments_over_lines() {
        let lines = html_lines("a.rs", "/* a\nb */ fn x() {}\n\n\"<&>\"\n");
        assert_eq!(
            lines,
            [
                "<b class=\"c\">/* a</b>",
                "<b class=\"c\">b */</b> <b class=\"k\">fn</b> <b class=\"f\">x</b>() {}",
                "",
                "<b class=\"s\">&quot;&lt;&amp;&gt;&quot;</b>"
            ]
        );
        assert_eq!(html_lines("a.rs", "a\n\n").len(), 2);
    }

    #[test]
    fn what_mdbook_would_expand_is_hidden() {
        assert!(!escape("{{#include x}}").contains("{{#"));
    }
}
