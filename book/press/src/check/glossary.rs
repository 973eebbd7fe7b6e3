//! Each word of the glossary is explained, or linked to its entry, where a reader meets it first.
//!
//! An entry's words are `<dfn id="term-...">word</dfn>`. The first page in reading order that uses one of them has to
//! hold a link to `glossary.md#term-...`.

use crate::book::{Book, resolve};
use crate::fault::Fault;
use crate::page::{BlockKind, Page, without_code};

const GLOSSARY: &str = "glossary.md";

/// A word that the glossary explains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    pub id: String,
    pub word: String,
}

pub fn terms(glossary: &Page) -> Vec<Term> {
    let entries = glossary.source.split("<dfn id=\"").skip(1);
    let term = |entry: &str| {
        let (id, rest) = entry.split_once("\">")?;
        let (word, _) = rest.split_once("</dfn>")?;
        Some(Term { id: id.into(), word: word.into() })
    };
    entries.filter_map(term).collect()
}

/// Words whose first page has no link to their entry.
pub fn first_uses(book: &Book) -> Vec<Fault> {
    let Some(glossary) = book.page(GLOSSARY) else { return Vec::new() };
    let mut faults = Vec::new();
    for term in terms(glossary) {
        let pages = book.written().filter(|page| page.path != GLOSSARY);
        let Some((page, line)) =
            pages.filter_map(|page| Some((page, first(page, &term.word)?))).next()
        else {
            continue;
        };
        if !links(page, &term.id) {
            let message =
                format!("the first “{}” is no link to {GLOSSARY}#{}", term.word, term.id);
            faults.push(Fault::at(page.place(), line, message));
        }
    }
    faults
}

fn links(page: &Page, id: &str) -> bool {
    page.links.iter().any(|link| {
        let (path, to) = link.target.split_once('#').unwrap_or((&link.target, ""));
        to == id && resolve(&page.path, path).as_deref() == Some(GLOSSARY)
    })
}

/// The line on which the prose of a page first says a word.
fn first(page: &Page, word: &str) -> Option<usize> {
    let prose = page.blocks.iter().filter(|block| block.kind == BlockKind::Prose);
    let mut found = prose.filter_map(|block| {
        let text = without_comments(&without_code(&block.source));
        let at = find(&text, word)?;
        Some(block.line + text[..at].matches('\n').count())
    });
    found.next()
}

/// Blanked out, so that lines stay where they are.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("<!--") {
        let end = rest[start..].find("-->").map_or(rest.len(), |end| start + end + 3);
        out.push_str(&rest[..start]);
        out.extend(rest[start..end].bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
        rest = &rest[end..];
    }
    out + rest
}

/// A whole word, also in the plural; a capital letter is one where the word itself has more than the first.
fn find(text: &str, word: &str) -> Option<usize> {
    let exact = word.chars().skip(1).any(char::is_uppercase);
    let fold = |text: &str| if exact { text.to_string() } else { text.to_ascii_lowercase() };
    let (text, word) = (fold(text), fold(word));
    let is_letter = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let whole = |at: &usize| {
        let before = text[..*at].chars().next_back();
        let rest = &text[at + word.len()..];
        let after = rest.strip_prefix('s').unwrap_or(rest).chars().next();
        !before.is_some_and(is_letter) && !after.is_some_and(is_letter)
    };
    text.match_indices(&word).map(|(at, _)| at).find(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(pages: &[(&str, &str)]) -> Book {
        let pages = pages.iter().map(|(path, source)| Page::parse(path, source)).collect();
        Book { summary: Page::parse("SUMMARY.md", ""), pages, faults: Vec::new() }
    }

    const ENTRIES: &str = "**<dfn id=\"term-row\">Row</dfn>.** One.\n\n\
         **<dfn id=\"term-k\">Top-k</dfn>, <dfn id=\"term-rope\">RoPE</dfn>.** Two.\n";

    #[test]
    fn entries_may_hold_several_words() {
        let found = terms(&Page::parse("glossary.md", ENTRIES));
        let words: Vec<(&str, &str)> =
            found.iter().map(|term| (term.id.as_str(), term.word.as_str())).collect();
        assert_eq!(words, [("term-row", "Row"), ("term-k", "Top-k"), ("term-rope", "RoPE")]);
    }

    #[test]
    fn the_first_page_that_says_a_word_links_to_it() {
        let first = "Arrows and `rows`, <!-- a row -->\nbut then rows. A rope is no RoPE.\n";
        let wrong = book(&[("ch00/a.md", first), ("glossary.md", ENTRIES)]);
        let faults: Vec<String> = first_uses(&wrong).iter().map(Fault::to_string).collect();
        assert_eq!(
            faults,
            [
                "book/src/ch00/a.md:2: the first “Row” is no link to glossary.md#term-row",
                "book/src/ch00/a.md:2: the first “RoPE” is no link to glossary.md#term-rope",
            ]
        );
        let linked = first.replace("then rows", "then [rows](../glossary.md#term-row)");
        let linked = linked.replace("no RoPE", "no [RoPE](../glossary.md#term-rope)");
        let right =
            book(&[("ch00/a.md", &linked), ("b.md", "A row."), ("glossary.md", ENTRIES)]);
        assert_eq!(first_uses(&right), []);
    }
}
