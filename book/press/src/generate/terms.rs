//! `terms.json`: what the glossary says of each term, for those who ask where they read.

use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use serde_json::{Map, Value};

use super::Files;
use crate::check::glossary::terms;
use crate::fault::{Fault, PressError};
use crate::page::Page;
use crate::sources::Sources;

pub fn step(sources: &Sources, files: &mut Files) -> Result<Vec<Fault>, PressError> {
    if let Some(glossary) = sources.book.page("glossary.md") {
        let told = Value::Object(told(&glossary.source));
        files.insert("terms.json".into(), format!("{told:#}\n"));
    }
    Ok(Vec::new())
}

/// By the id of the term.
fn told(glossary: &str) -> Map<String, Value> {
    let mut found = Map::new();
    for entry in glossary.split("\n## ").skip(1) {
        let Some((heading, text)) = entry.split_once("\n\n") else { continue };
        for term in terms(&Page::parse("", heading)) {
            found.insert(term.id, plain(text).into());
        }
    }
    found
}

/// Without marks, and without the link to the page that explains it, which is at the end.
fn plain(text: &str) -> String {
    let (mut out, mut link) = (String::new(), None);
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::Link { .. }) => link = Some(out.len()),
            Event::End(TagEnd::Paragraph) => break,
            Event::Text(text) | Event::Code(text) => out.push_str(&text),
            Event::SoftBreak => out.push(' '),
            _ => {}
        }
    }
    if let Some(start) = link.filter(|_| text.trim_end().ends_with(')')) {
        out.truncate(start);
    }
    out.trim().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_term_has_its_text_without_marks() {
        let glossary = "# Glossary\n\nWords.\n\n## <dfn id=\"term-a\">A</dfn>, <dfn id=\"term-b\">b</dfn>\n\n\
            What *a* is, of type `f32`. See [c](#term-c), too. [A page](a.md)\n\n## C\n\nSee [a](#term-a).\n";
        let told = told(glossary);
        assert_eq!(told["term-a"], "What a is, of type f32. See c, too.");
        assert_eq!(told["term-b"], told["term-a"]);
        assert_eq!(told.len(), 2);
    }
}
