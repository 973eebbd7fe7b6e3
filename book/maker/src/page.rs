//! A page of the book as its checks see it: blocks, each with the line it begins on.

use std::path::Path;

use catalog::rooms::{Mark, marks};
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::fault::{BookError, read};
use crate::include::includes;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockKind {
    Heading {
        level: usize,
        id: String,
    },
    /// Paragraphs, lists and quotations: what counts as explaining.
    Prose,
    Table,
    /// The words after the opening fence.
    Code {
        info: String,
    },
    /// A line that is nothing but `{{#include ...}}`.
    Include {
        target: String,
    },
    Comment,
    Html,
    Rule,
}

#[derive(Clone, Debug)]
pub struct Block {
    pub kind: BlockKind,
    /// From 1.
    pub line: usize,
    pub source: String,
}

/// A link or an image: where it points, and the line it stands on.
#[derive(Clone, Debug)]
pub struct Link {
    pub target: String,
    pub line: usize,
    pub image: bool,
    /// Text of the link, or the image's alternative text.
    pub text: String,
}

#[derive(Clone, Debug)]
pub struct Page {
    /// Relative to `book/src`.
    pub path: String,
    pub source: String,
    pub blocks: Vec<Block>,
    pub links: Vec<Link>,
}

impl Page {
    pub fn load(book: &Path, path: &str) -> Result<Page, BookError> {
        Ok(Page::parse(path, &read(&book.join(path))?))
    }

    pub fn parse(path: &str, source: &str) -> Page {
        let mut page = Page {
            path: path.into(),
            source: source.into(),
            blocks: Vec::new(),
            links: Vec::new(),
        };
        page.walk();
        page
    }

    /// `book/src/ch02/cache.md`
    pub fn place(&self) -> String {
        format!("book/src/{}", self.path)
    }

    /// Every include on the page, also those inside code blocks and sentences, with its line.
    pub fn includes(&self) -> Vec<(String, usize)> {
        let found = includes(&self.source).into_iter();
        found.map(|include| (include.target, include.line)).collect()
    }

    pub fn title(&self) -> Option<&str> {
        let heading = self
            .blocks
            .iter()
            .find(|block| matches!(block.kind, BlockKind::Heading { level: 1, .. }))?;
        Some(heading.source.trim_start_matches('#').trim())
    }

    /// Words a reader reads: prose, headings and tables, without markup, code blocks and listings.
    pub fn words(&self) -> usize {
        let read = |block: &&Block| {
            matches!(
                block.kind,
                BlockKind::Heading { .. }
                    | BlockKind::Prose
                    | BlockKind::Table
                    | BlockKind::Html
            )
        };
        self.blocks.iter().filter(read).map(|block| count_words(&block.source)).sum()
    }

    /// To the nearest fifty, so that not every edit shows in what is told of them.
    pub fn words_about(&self) -> usize {
        (self.words() + 25) / 50 * 50
    }

    /// Its side rooms, each as a page: itself, or some stretches.
    pub fn rooms(&self) -> Vec<Page> {
        let marks = marks(&self.source).unwrap_or_default().into_iter();
        let room = |mark: Mark| match mark.stretch {
            Some(_) => Page::parse(&self.path, &self.source[mark.inside]),
            None => self.clone(),
        };
        marks.map(room).collect()
    }

    fn walk(&mut self) {
        let source = std::mem::take(&mut self.source);
        let line_starts: Vec<usize> = std::iter::once(0)
            .chain(source.match_indices('\n').map(|(at, _)| at + 1))
            .collect();
        let line_of = |at: usize| line_starts.partition_point(|start| *start <= at);
        let (mut depth, mut links, mut ids) =
            (0usize, Vec::<Link>::new(), Vec::<String>::new());
        let (mut heading, mut heading_id) = (String::new(), None);
        for (event, range) in Parser::new_ext(&source, options()).into_offset_iter() {
            let block = |kind| Block {
                kind,
                line: line_of(range.start),
                source: source[range.clone()].to_string(),
            };
            match &event {
                Event::Start(tag) => {
                    if let Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } = tag {
                        let image = matches!(tag, Tag::Image { .. });
                        links.push(Link {
                            target: dest_url.to_string(),
                            line: line_of(range.start),
                            image,
                            text: String::new(),
                        });
                    }
                    if depth == 0 {
                        if let Tag::Heading { id, .. } = tag {
                            heading.clear();
                            heading_id = id.as_ref().map(|id| id.to_string());
                        }
                        if let Some(kind) = kind_of(tag, &source[range.clone()]) {
                            self.blocks.push(block(kind));
                        }
                    }
                    depth += 1;
                }
                Event::End(tag) => {
                    depth -= 1;
                    if matches!(tag, TagEnd::Link | TagEnd::Image) {
                        self.links.extend(links.pop());
                    }
                    if let (TagEnd::Heading(level), Some(last)) = (tag, self.blocks.last_mut())
                    {
                        let id = unique(
                            heading_id.take().unwrap_or_else(|| id_of(&heading)),
                            &mut ids,
                        );
                        last.kind = BlockKind::Heading { level: *level as usize, id };
                    }
                }
                Event::Text(text) | Event::Code(text) => {
                    heading.push_str(text);
                    for link in &mut links {
                        link.text.push_str(text);
                    }
                }
                Event::Rule => self.blocks.push(block(BlockKind::Rule)),
                _ => {}
            }
        }
        self.source = source;
    }
}

fn kind_of(tag: &Tag, source: &str) -> Option<BlockKind> {
    let source = source.trim();
    Some(match tag {
        Tag::Heading { level, .. } => {
            BlockKind::Heading { level: *level as usize, id: String::new() }
        }
        Tag::Paragraph => match lone_include(source) {
            Some(target) => BlockKind::Include { target },
            None => BlockKind::Prose,
        },
        Tag::List(_)
        | Tag::BlockQuote(_)
        | Tag::DefinitionList
        | Tag::FootnoteDefinition(_) => BlockKind::Prose,
        Tag::Table(_) => BlockKind::Table,
        Tag::CodeBlock(CodeBlockKind::Fenced(info)) => {
            BlockKind::Code { info: info.to_string() }
        }
        Tag::CodeBlock(CodeBlockKind::Indented) => BlockKind::Code { info: String::new() },
        Tag::HtmlBlock if source.starts_with("<!--") && source.ends_with("-->") => {
            BlockKind::Comment
        }
        Tag::HtmlBlock => BlockKind::Html,
        _ => return None,
    })
}

fn lone_include(source: &str) -> Option<String> {
    let inner = source.strip_prefix("{{#include ")?.strip_suffix("}}")?;
    (!inner.contains("}}")).then(|| inner.trim().to_string())
}

/// The options mdBook itself parses with.
fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_DEFINITION_LIST
        | Options::ENABLE_GFM
}

/// The id mdBook gives a heading.
pub fn id_of(heading: &str) -> String {
    let lower = heading.trim().to_lowercase();
    let keep = |c: char| match c {
        c if c.is_alphanumeric() || c == '_' || c == '-' => Some(c),
        c if c.is_whitespace() => Some('-'),
        _ => None,
    };
    lower.chars().filter_map(keep).collect()
}

fn unique(id: String, used: &mut Vec<String>) -> String {
    let mut candidate = id.clone();
    let mut count = 0;
    while used.contains(&candidate) {
        count += 1;
        candidate = format!("{id}-{count}");
    }
    used.push(candidate.clone());
    candidate
}

fn count_words(source: &str) -> usize {
    let mut plain = String::new();
    let mut rest = source;
    while let Some(start) = rest.find('<') {
        plain.push_str(&rest[..start]);
        let close = if rest[start..].starts_with("<!--") { "-->" } else { ">" };
        rest = rest[start..].find(close).map_or("", |end| &rest[start + end + close.len()..]);
    }
    plain.push_str(rest);
    plain.split_whitespace().filter(|word| word.contains(|c: char| c.is_alphanumeric())).count()
}

/// Code inside a sentence is blanked out: what it holds is no claim of the prose, and no link.
pub fn without_code(source: &str) -> String {
    let mut inside = false;
    let mut out = String::with_capacity(source.len());
    for (at, part) in source.split('`').enumerate() {
        if at > 0 {
            out.push(' ');
            inside = !inside;
        }
        match inside {
            true => out.extend(part.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' })),
            false => out.push_str(part),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_with_their_lines() {
        let page = Page::parse(
            "x.md",
            "# A `b` c\n\nProse here.\n\n{{#include ../generated/ch00/a.rs.md}}\n\n```rust,illustration\nfn a() {}\n```\n\n<!-- note -->\n\n## A b c\n\n- item\n\n<details>\n\n[x](y.md#z)\n\n</details>\n",
        );
        let kinds: Vec<(usize, String)> = page
            .blocks
            .iter()
            .map(|b| {
                (
                    b.line,
                    format!("{:?}", b.kind).split([' ', '{']).next().unwrap_or("").to_string(),
                )
            })
            .collect();
        let expected = [
            (1, "Heading"),
            (3, "Prose"),
            (5, "Include"),
            (7, "Code"),
            (11, "Comment"),
            (13, "Heading"),
            (15, "Prose"),
            (17, "Html"),
            (19, "Prose"),
            (21, "Html"),
        ];
        assert_eq!(kinds, expected.map(|(line, kind)| (line, kind.to_string())));
        assert!(
            page.blocks
                .iter()
                .any(|b| b.kind == BlockKind::Heading { level: 2, id: "a-b-c-1".into() })
        );
        assert_eq!((page.links[0].target.as_str(), page.links[0].line), ("y.md#z", 19));
        assert_eq!(page.title(), Some("A `b` c"));
    }

    #[test]
    fn includes_anywhere_but_escaped_ones() {
        let page = Page::parse(
            "x.md",
            "a {{#include b.md}} c {{#include d.md:e}}\n\n\\{{#include no.md}}\n",
        );
        assert_eq!(page.includes(), [("b.md".to_string(), 1), ("d.md:e".to_string(), 1)]);
    }

    #[test]
    fn words_are_what_is_read() {
        let page = Page::parse(
            "x.md",
            "# One two\n\nthree *four* <!-- not this --> - five\n\n```\nnot this\n```\n\n{{#include no}}\n",
        );
        assert_eq!(page.words(), 5);
    }
}
