//! Code typed into a page, and pages that grow too long.

use crate::fault::Fault;
use crate::page::{Block, BlockKind};
use crate::sources::Sources;

/// A Rust block is taken from a file or marked `rust,illustration`; of the latter there are as many as settings say.
pub fn rust_blocks(sources: &Sources) -> Vec<Fault> {
    let (mut faults, mut illustrations) = (Vec::new(), Vec::new());
    for page in sources.book.written() {
        for block in &page.blocks {
            let BlockKind::Code { info } = &block.kind else { continue };
            let words: Vec<&str> = info.split([',', ' ']).collect();
            if words[0] != "rust" || taken_from_a_file(block) {
                continue;
            }
            if words.contains(&"illustration") {
                illustrations.push(format!("{}:{}", page.place(), block.line));
            } else {
                let message = "a Rust block is an include, or is marked `rust,illustration`";
                faults.push(Fault::at(page.place(), block.line, message));
            }
        }
    }
    let pinned = sources.repository.settings.illustrations;
    if illustrations.len() != pinned {
        let found = illustrations.join(", ");
        let message = format!(
            "\"illustrations\" says {pinned}, the book has {}: {found}",
            illustrations.len()
        );
        faults.push(Fault::in_file("book/course.json", message));
    }
    faults
}

fn taken_from_a_file(block: &Block) -> bool {
    let mut inside = block
        .source
        .lines()
        .skip(1)
        .filter(|line| !line.trim().is_empty() && !line.trim().starts_with("```"));
    let include = |line: &str| line.trim().starts_with("{{#include ");
    inside.clone().next().is_some() && inside.all(include)
}

pub fn page_length(sources: &Sources) -> Vec<Fault> {
    let most = sources.repository.settings.words_per_page;
    let long = sources.book.written().filter(|page| page.words() > most);
    long.map(|page| {
        Fault::in_file(
            page.place(),
            format!("{} words on one page; at most {most}", page.words()),
        )
    })
    .collect()
}
