//! No listing without somebody explaining it.

use crate::fault::Fault;
use crate::page::{Block, BlockKind, Page};
use crate::sources::Sources;

/// A shorter paragraph is a label.
const WORDS: usize = 5;

pub fn claims_have_prose(sources: &Sources) -> Vec<Fault> {
    let mut faults = Vec::new();
    for claim in &sources.claims.all {
        let Some(page) = sources.book.page(&claim.page) else { continue };
        if let Some(message) = unexplained(page, claim.line) {
            faults.push(Fault::at(
                page.place(),
                claim.line,
                format!("{}: {message}", claim.target),
            ));
        }
    }
    faults
}

fn unexplained(page: &Page, line: usize) -> Option<&'static str> {
    let blocks: Vec<&Block> =
        page.blocks.iter().filter(|block| block.kind != BlockKind::Comment).collect();
    let here =
        |block: &&Block| block.line == line && matches!(block.kind, BlockKind::Include { .. });
    let Some(at) = blocks.iter().position(here) else {
        return Some(
            "a listing stands on a line of its own, with a blank line before and after",
        );
    };
    let explains = |at: Option<usize>| {
        at.and_then(|at| blocks.get(at)).is_some_and(|block| is_prose(block))
    };
    let beside =
        explains(at.checked_sub(1)) || explains(Some(at + 1)) || is_plumbing(&blocks[..at]);
    (!beside).then_some("no paragraph of prose stands directly before or after this listing")
}

/// Whether what follows these blocks is folded under a summary that says what it is: one for all listings there.
fn is_plumbing(before: &[&Block]) -> bool {
    let folds = |block: &&&Block| {
        block.kind == BlockKind::Html && block.source.contains("<details class=\"plumbing\">")
            || block.source.contains("</details>")
    };
    let last = before.iter().rev().find(folds);
    last.is_some_and(|block| {
        !block.source.contains("</details>") && block.source.split_whitespace().count() >= WORDS
    })
}

fn is_prose(block: &Block) -> bool {
    block.kind == BlockKind::Prose && block.source.split_whitespace().count() >= WORDS
}
