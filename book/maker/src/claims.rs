//! The order in which the book tells the code: which page shows which hunk, and where a reader may stop and compile.

use std::collections::{BTreeMap, BTreeSet};

use crate::book::{Book, resolve};
use crate::diff::ChapterDiff;
use crate::fault::Fault;
use crate::repository::Repository;
use crate::select::select;

/// A page that shows hunks, by including the fragment made of them.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The page, relative to `book/src`, and the line.
    pub page: String,
    pub line: usize,
    /// `ch02/attention.rs/fn-attend`
    pub target: String,
    pub chapter: String,
    pub hunks: Vec<String>,
}

/// A place where what has been shown so far must compile.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    pub page: String,
    pub line: usize,
    pub chapter: String,
    /// The chapter's hunks shown up to here.
    pub applied: BTreeSet<String>,
}

#[derive(Clone, Debug)]
pub struct Claims {
    /// The ground floor first, then the chapters, each after its steps.
    pub diffs: Vec<ChapterDiff>,
    /// The ground floor, then each chapter against the one before it, whatever steps lead there.
    pub wholes: Vec<ChapterDiff>,
    /// In reading order.
    pub all: Vec<Claim>,
    pub checkpoints: Vec<Checkpoint>,
    pub faults: Vec<Fault>,
}

/// The last one of a chapter promises more.
pub const CHECKPOINTS: [&str; 2] = ["generated/checkpoint.md", "generated/last-checkpoint.md"];

impl Claims {
    pub fn tell(repository: &Repository, book: &Book) -> Claims {
        let with_ground = |mut changes: Vec<ChapterDiff>| {
            changes.insert(0, ChapterDiff::between(None, &repository.ground));
            changes
        };
        let mut claims = Claims {
            diffs: with_ground(repository.changes(repository.states(), |_| true)),
            wholes: with_ground(repository.changes(repository.chapters.iter(), |_| true)),
            all: Vec::new(),
            checkpoints: Vec::new(),
            faults: Vec::new(),
        };
        for page in book.written() {
            claims.read_page(page);
        }
        claims
    }

    pub fn diff(&self, chapter: &str) -> Option<&ChapterDiff> {
        self.diffs.iter().find(|diff| diff.short == chapter)
    }

    /// The chapter whose whole-file page prints this file as it stands at the end of `chapter`: the last, up to that one,
    /// that changed it and left it there. Of a step, the chapter that it is part of.
    pub fn printed(&self, chapter: &str, path: &str) -> Option<&str> {
        let chapter = chapter.split('-').next().unwrap_or(chapter);
        let upto = self.wholes.iter().position(|diff| diff.short == chapter)?;
        let from = if chapter == "ground" { upto } else { 1 };
        let prints = |diff: &&ChapterDiff| {
            let mut files = diff.files.iter();
            files.any(|file| file.path == path && file.is_there && file.changes())
        };
        let diffs = self.wholes.get(from..=upto)?;
        diffs.iter().rev().find(prints).map(|diff| diff.short.as_str())
    }

    /// The claims of each hunk, all chapters together.
    pub fn claimed(&self) -> BTreeMap<&str, Vec<&Claim>> {
        let mut claimed = BTreeMap::<&str, Vec<&Claim>>::new();
        for claim in &self.all {
            for hunk in &claim.hunks {
                claimed.entry(hunk).or_default().push(claim);
            }
        }
        claimed
    }

    fn read_page(&mut self, page: &crate::page::Page) {
        for (target, line) in page.includes() {
            let Some(path) = resolve(&page.path, &target) else { continue };
            if CHECKPOINTS.contains(&path.as_str()) {
                self.checkpoint(&page.path, line);
                continue;
            }
            let Some(target) = path.strip_prefix("generated/") else { continue };
            let Some((chapter, _)) = target.split_once('/') else { continue };
            let Some(diff) = self.diff(chapter) else { continue };
            let target = target.strip_suffix(".md").unwrap_or(target);
            match select(diff, target) {
                Ok((_, hunks)) => self.all.push(Claim {
                    page: page.path.clone(),
                    line,
                    target: target.into(),
                    chapter: chapter.into(),
                    hunks: hunks.into_iter().collect(),
                }),
                Err(reason) => self.faults.push(Fault::at(page.place(), line, reason)),
            }
        }
    }

    /// One checkpoint for every chapter that this page has shown something of since the last one.
    fn checkpoint(&mut self, page: &str, line: usize) {
        let since: BTreeSet<String> = self
            .all
            .iter()
            .filter(|claim| claim.page == page && claim.chapter != "ground")
            .map(|claim| claim.chapter.clone())
            .collect();
        for chapter in since {
            let shown = self.all.iter().filter(|claim| claim.chapter == chapter);
            let applied = shown.flat_map(|claim| claim.hunks.iter().cloned()).collect();
            self.checkpoints.push(Checkpoint { page: page.into(), line, chapter, applied });
        }
    }
}
