//! Each word of the glossary is linked to its entry where the book explains it.
//!
//! An entry's words are `<dfn id="term-...">word</dfn>`. The page that first has one of them in italics is the one that
//! explains it, and holds a link to `glossary.md#term-...`. Everyday uses of such a word need none. A word that is in
//! italics nowhere has a link somewhere.

use std::collections::BTreeSet;

use crate::address::resolve;
use crate::book::Book;
use crate::fault::Fault;
use crate::page::{BlockKind, Page, without_code};
use crate::sources::Sources;

const GLOSSARY: &str = "glossary.md";
/// Its table has our names beside those of others.
const NAMES: &str = "names.md";

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

/// As a check among the others.
pub fn explained(sources: &Sources) -> Vec<Fault> {
    first_uses(sources.book)
}

/// In a table whose first column is headed `here`, a name in code is one of the programs': who looks for it finds it.
pub fn names(sources: &Sources) -> Vec<Fault> {
    let repository = sources.repository;
    let files = repository.chapters.iter().flat_map(|chapter| chapter.files.values());
    let known: BTreeSet<&str> = files.flat_map(|text| words(text)).collect();
    let Some(page) = sources.book.page(NAMES) else { return Vec::new() };
    let mut faults = Vec::new();
    let mut in_table = false;
    for (at, line) in page.source.lines().enumerate() {
        let first = line.strip_prefix('|').and_then(|row| row.split('|').next());
        in_table = first.is_some_and(|cell| in_table || cell.trim() == "here");
        let code = first.filter(|_| in_table).unwrap_or_default().split('`').skip(1).step_by(2);
        for word in code.flat_map(words).filter(|word| !known.contains(word)) {
            let message = format!("no chapter's code has the name {word}");
            faults.push(Fault::at(page.place(), at + 1, message));
        }
    }
    faults
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_sign = |c: char| c != '_' && !c.is_alphanumeric();
    text.split(is_sign).filter(|word| !word.is_empty())
}

/// Words whose entry is not linked where they are explained.
pub fn first_uses(book: &Book) -> Vec<Fault> {
    let Some(glossary) = book.page(GLOSSARY) else { return Vec::new() };
    let pages = book.written().filter(|page| page.path != GLOSSARY);
    let pages: Vec<(&Page, Vec<Told>)> = pages.map(|page| (page, told(page))).collect();
    let fault = |term: &Term| {
        let at = |kind: Use| {
            let mut found =
                pages.iter().map(|(page, told)| (*page, first(told, &term.word, kind)));
            found.find_map(|(page, line)| Some((page, line?)))
        };
        let explained = at(Use::Italics);
        let linked = match explained {
            Some((page, _)) => links(page, &term.id),
            None => pages.iter().any(|(page, _)| links(page, &term.id)),
        };
        let entry = format!("{GLOSSARY}#{}", term.id);
        let message = match explained {
            Some(_) => format!("the first “{}” in italics is no link to {entry}", term.word),
            None => format!("no page links to {entry}, and this is the first “{}”", term.word),
        };
        let (page, line) = explained.or_else(|| at(Use::Any)).filter(|_| !linked)?;
        Some(Fault::at(page.place(), line, message))
    };
    terms(glossary).iter().filter_map(fault).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// `*word*` or `<i>word</i>`: there it is explained.
    Italics,
    Any,
}

fn links(page: &Page, id: &str) -> bool {
    page.links.iter().any(|link| {
        let (path, to) = link.target.split_once('#').unwrap_or((&link.target, ""));
        to == id && resolve(&page.path, path).as_deref() == Some(GLOSSARY)
    })
}

/// Prose of a page, as it is and in small letters: made once, because each word is looked for in all of it.
struct Told {
    line: usize,
    text: String,
    small: String,
}

fn told(page: &Page) -> Vec<Told> {
    let prose = |kind: &BlockKind| matches!(kind, BlockKind::Prose | BlockKind::Html);
    let told = page.blocks.iter().filter(|block| prose(&block.kind)).map(|block| {
        let text = without_comments(&without_code(&block.source));
        Told { line: block.line, small: text.to_ascii_lowercase(), text }
    });
    told.collect()
}

/// The line on which the prose of a page first says a word.
fn first(told: &[Told], word: &str, kind: Use) -> Option<usize> {
    told.iter().find_map(|told| {
        let at = find(told, word, kind)?;
        Some(told.line + told.text[..at].matches('\n').count())
    })
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
fn find(told: &Told, word: &str, kind: Use) -> Option<usize> {
    let exact = word.chars().skip(1).any(char::is_uppercase);
    let (text, word) = match exact {
        true => (&told.text, word.to_string()),
        false => (&told.small, word.to_ascii_lowercase()),
    };
    let is_letter = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let whole = |at: &usize| {
        let before = text[..*at].chars().next_back();
        let rest = &text[at + word.len()..];
        let after = rest.strip_prefix('s').unwrap_or(rest).chars().next();
        let tagged = ["<i>", "<em>"].iter().any(|tag| text[..*at].ends_with(tag));
        let italics = matches!((before, after), (Some('*'), Some('*'))) || tagged;
        !before.is_some_and(is_letter)
            && !after.is_some_and(is_letter)
            && (italics || kind == Use::Any)
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
    fn the_page_that_explains_a_word_links_to_it() {
        let every_day = "Arrows in a row, and a rope.\n";
        let first = "A `*row*` <!-- *row* -->\nis one of the *rows*. No *rope*, but *RoPE*.\n";
        let pages = [("a.md", every_day), ("ch00/b.md", first), ("glossary.md", ENTRIES)];
        let faults: Vec<String> =
            first_uses(&book(&pages)).iter().map(Fault::to_string).collect();
        assert_eq!(
            faults,
            [
                "book/src/ch00/b.md:2: the first “Row” in italics is no link to glossary.md#term-row",
                "book/src/ch00/b.md:2: the first “RoPE” in italics is no link to glossary.md#term-rope",
            ]
        );
        let linked = first.replace("*rows*", "[*rows*](../glossary.md#term-row)");
        let linked = linked.replace("*RoPE*", "[*RoPE*](../glossary.md#term-rope)");
        let pages = [("a.md", every_day), ("ch00/b.md", &linked), ("glossary.md", ENTRIES)];
        assert_eq!(first_uses(&book(&pages)), []);
    }

    #[test]
    fn a_word_without_italics_has_a_link_somewhere() {
        let pages = [("a.md", "Top-k.\n"), ("b.md", "Text.\n"), ("glossary.md", ENTRIES)];
        assert_eq!(first_uses(&book(&pages)).len(), 1);
        let linked = ("b.md", "[The best](glossary.md#term-k).\n");
        let pages = [("a.md", "Top-k.\n"), linked, ("glossary.md", ENTRIES)];
        assert_eq!(first_uses(&book(&pages)), []);
    }
}
