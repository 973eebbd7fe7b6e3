//! What a page points at is there: includes, anchors, pages, headings, images.

use std::collections::BTreeSet;

use crate::book::resolve;
use crate::fault::Fault;
use crate::include::brought;
use crate::page::{Block, BlockKind, Page, without_code};
use crate::sources::Sources;

pub fn includes(sources: &Sources) -> Vec<Fault> {
    let mut faults = Vec::new();
    for page in sources.book.written() {
        for (target, line) in page.includes() {
            if let Err(message) = included(sources, page, &target) {
                faults.push(Fault::at(page.place(), line, message));
            }
        }
    }
    faults
}

/// The text an include brings in.
fn included(sources: &Sources, page: &Page, target: &str) -> Result<String, String> {
    let text = brought(&sources.repository.book(), &sources.made, &page.path, target)?;
    if target.ends_with(".svg") {
        drawing(target, &text)?;
    }
    Ok(text)
}

/// A drawing inside a page: HTML ends for Markdown at the first blank line.
fn drawing(path: &str, text: &str) -> Result<(), String> {
    if text.trim_end().lines().any(|line| line.trim().is_empty()) {
        return Err(format!(
            "'{path}' has a blank line inside, which ends the HTML for Markdown"
        ));
    }
    if !text.contains("<title") && !text.contains("aria-label") {
        return Err(format!(
            "'{path}' has neither <title> nor aria-label: it says nothing to who cannot see it"
        ));
    }
    Ok(())
}

pub fn links(sources: &Sources) -> Vec<Fault> {
    let mut faults = Vec::new();
    for page in sources.book.written() {
        for link in &page.links {
            if let Err(message) = leads_somewhere(sources, page, &link.target) {
                faults.push(Fault::at(page.place(), link.line, message));
            }
            if link.image && link.text.trim().is_empty() {
                faults.push(Fault::at(
                    page.place(),
                    link.line,
                    format!("the image '{}' has no text for who cannot see it", link.target),
                ));
            }
        }
        let written =
            |block: &&Block| !matches!(block.kind, BlockKind::Code { .. } | BlockKind::Comment);
        for block in page.blocks.iter().filter(written) {
            let source = without_code(&block.source);
            for target in
                ["href=\"", "src=\""].iter().flat_map(|name| attributes(&source, name))
            {
                if let Err(message) = leads_somewhere(sources, page, target) {
                    faults.push(Fault::at(page.place(), block.line, message));
                }
            }
        }
    }
    faults
}

fn leads_somewhere(sources: &Sources, page: &Page, target: &str) -> Result<(), String> {
    if ["http:", "https:", "mailto:", "data:"].iter().any(|outside| target.starts_with(outside))
    {
        return Ok(());
    }
    let (path, id) = target.split_once('#').unwrap_or((target, ""));
    let nowhere = || format!("the link '{target}' leads nowhere");
    let path = if path.is_empty() {
        page.path.clone()
    } else {
        resolve(&page.path, path).ok_or_else(nowhere)?
    };
    let as_page = path.strip_suffix(".html").map_or(path.clone(), |stem| format!("{stem}.md"));
    let Some(found) = sources.book.page(&as_page) else {
        let is_file =
            !as_page.ends_with(".md") && sources.repository.book().join(&path).is_file();
        return if is_file { Ok(()) } else { Err(nowhere()) };
    };
    if id.is_empty() || ids(sources, found).contains(id) {
        return Ok(());
    }
    Err(format!("the link '{target}': {} has no heading or figure '{id}'", found.path))
}

/// Ids on a page: its headings, and what its HTML and its listings bring along.
fn ids(sources: &Sources, page: &Page) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    for block in &page.blocks {
        if let BlockKind::Heading { id, .. } = &block.kind {
            ids.insert(id.clone());
        }
    }
    ids.extend(attributes(&page.source, "id=\"").map(str::to_string));
    for (target, _) in page.includes() {
        if let Ok(text) = included(sources, page, &target) {
            ids.extend(attributes(&text, "id=\"").map(str::to_string));
        }
    }
    ids
}

/// Values of an attribute: the name comes with its `="`.
pub fn attributes<'a>(html: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    let starts =
        html.match_indices(name).filter(|(at, _)| html[..*at].ends_with(char::is_whitespace));
    starts.filter_map(move |(at, _)| html[at + name.len()..].split('"').next())
}
