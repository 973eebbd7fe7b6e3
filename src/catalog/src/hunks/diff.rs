//! What a chapter changes in the one before it, item by item, and how to apply any part of it.

use std::collections::{BTreeMap, BTreeSet};

use crate::hunks::apply_hunks::{Line, Mark, transition};
use crate::hunks::file_diff::{FileDiff, file_diff};
use crate::repository::{Chapter, renamed};

#[derive(Clone, Debug)]
pub struct ChapterDiff {
    pub short: String,
    /// Folder relative to the repository.
    pub folder: String,
    pub package: String,
    pub files: Vec<FileDiff>,
}

/// All that changes in one item of one file. Named by where it is: `ch02/attention.rs/fn-attend`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    pub name: String,
    /// `chapters/ch02-kv-cache/src/attention.rs`
    pub file: String,
    pub line: usize,
    pub added: usize,
    pub removed: usize,
}

impl ChapterDiff {
    /// `before` is the chapter this one is a copy of; the first chapter stands on nothing.
    pub fn between(before: Option<&Chapter>, chapter: &Chapter) -> ChapterDiff {
        let old_files = before.map(|before| renamed(before, chapter)).unwrap_or_default();
        let paths: BTreeSet<&String> = old_files.keys().chain(chapter.files.keys()).collect();
        let files = paths
            .into_iter()
            .map(|path| {
                file_diff(&chapter.short, path, old_files.get(path), chapter.files.get(path))
            })
            .collect();
        ChapterDiff {
            short: chapter.short.clone(),
            // A reader types a step into the chapter's own files.
            folder: chapter.folder.split("/steps/").next().unwrap_or_default().to_string(),
            package: chapter.package.clone(),
            files,
        }
    }

    /// In the order of the files, and within a file from top to bottom.
    pub fn hunks(&self) -> Vec<Hunk> {
        let mut hunks: Vec<Hunk> = Vec::new();
        for file in &self.files {
            for segment in &file.segments {
                let Some(name) = &segment.hunk else { continue };
                if hunks.iter().any(|hunk| hunk.name == *name) {
                    continue;
                }
                let alone = BTreeSet::from([name.clone()]);
                let (added, removed) = size(&transition(file, &BTreeSet::new(), &alone));
                hunks.push(Hunk {
                    name: name.clone(),
                    file: self.repository_path(&file.path),
                    line: segment.line,
                    added,
                    removed,
                });
            }
        }
        hunks
    }

    pub fn repository_path(&self, path: &str) -> String {
        if self.folder.is_empty() {
            path.to_string()
        } else {
            format!("{}/{path}", self.folder)
        }
    }

    /// The files with these hunks applied, to the byte.
    pub fn apply(&self, applied: &BTreeSet<String>) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        for file in &self.files {
            let text: String = file
                .segments
                .iter()
                .flat_map(|segment| segment.lines(segment.changes_with(applied)))
                .map(String::as_str)
                .collect();
            let begun = file.segments.iter().any(|segment| segment.changes_with(applied));
            let exists = if file.is_there { file.was_there || begun } else { !text.is_empty() };
            if exists {
                files.insert(file.path.clone(), text);
            }
        }
        files
    }

    /// Lines added and removed, all files together.
    pub fn size(&self) -> (usize, usize) {
        let nothing = BTreeSet::new();
        let sizes =
            self.files.iter().map(|file| size(&transition(file, &nothing, &file.hunks())));
        sizes.fold((0, 0), |(a, r), (added, removed)| (a + added, r + removed))
    }
}

/// Lines added and removed among these.
pub fn size(lines: &[Line]) -> (usize, usize) {
    let count = |mark| lines.iter().filter(|line| line.mark == mark).count();
    (count(Mark::Added), count(Mark::Removed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chapter(package: &str, files: &[(&str, &str)]) -> Chapter {
        Chapter {
            short: package[..4].to_string(),
            package: package.into(),
            folder: format!("chapters/{package}"),
            files: files
                .iter()
                .map(|(path, text)| (path.to_string(), text.to_string()))
                .collect(),
            ..Chapter::default()
        }
    }

    const OLD: &str = "use a::b;\n\nfn one() {\n    1\n}\n\nimpl X {\n    fn first() {}\n}\n\nfn moved() {}\n\nfn gone() {}\n";
    const NEW: &str = "use a::b;\nuse c::d;\n\nfn moved() {}\n\nfn one() {\n    2\n}\n\nimpl X {\n    fn zeroth() {}\n\n    fn first() {}\n}\n";

    fn pair() -> (Chapter, Chapter, ChapterDiff) {
        let old = chapter(
            "ch01-old",
            &[
                ("src/a.rs", OLD),
                ("src/gone.rs", "fn g() {}\n"),
                ("src/same.rs", "use ch01_old::x;\n"),
            ],
        );
        let new = chapter(
            "ch02-new",
            &[
                ("src/a.rs", NEW),
                ("src/new.rs", "fn n() {}\n\nfn m() {}\n"),
                ("src/same.rs", "use ch02_new::x;\n"),
            ],
        );
        let diff = ChapterDiff::between(Some(&old), &new);
        (old, new, diff)
    }

    #[test]
    fn hunks_are_named_by_file_and_item() {
        let (_, _, diff) = pair();
        let names: BTreeSet<String> = diff.hunks().into_iter().map(|hunk| hunk.name).collect();
        let expected = [
            "ch02/a.rs/use/c",
            "ch02/a.rs/fn-one",
            "ch02/a.rs/impl-X/fn-zeroth",
            "ch02/a.rs/fn-moved",
            "ch02/a.rs/fn-gone",
            "ch02/gone.rs/fn-g",
            "ch02/new.rs/fn-n",
            "ch02/new.rs/fn-m",
        ];
        assert_eq!(names, expected.map(String::from).into());
    }

    #[test]
    fn no_hunk_gives_the_old_and_all_hunks_give_the_new() {
        let (old, new, diff) = pair();
        assert_eq!(diff.apply(&BTreeSet::new()), renamed(&old, &new));
        let all = diff.hunks().into_iter().map(|hunk| hunk.name).collect();
        assert_eq!(diff.apply(&all), new.files);
    }

    #[test]
    fn every_subset_changes_only_its_own_items() {
        let (_, _, diff) = pair();
        let one = diff.apply(&["ch02/a.rs/fn-one".to_string()].into());
        assert_eq!(one["src/a.rs"], OLD.replace("    1\n", "    2\n"));
        let moved = diff.apply(&["ch02/a.rs/fn-moved".to_string()].into());
        assert_eq!(moved["src/a.rs"].matches("fn moved").count(), 1);
        let half = diff.apply(&["ch02/new.rs/fn-m".to_string()].into());
        assert_eq!(half["src/new.rs"], "\nfn m() {}\n");
        let gone = diff.apply(&["ch02/gone.rs/fn-g".to_string()].into());
        assert!(!gone.contains_key("src/gone.rs"));
    }

    #[test]
    fn a_blank_line_goes_with_the_method_that_pushes_it_in() {
        let (_, _, diff) = pair();
        let state = diff.apply(&["ch02/a.rs/impl-X/fn-zeroth".to_string()].into());
        assert!(
            state["src/a.rs"].contains("    fn zeroth() {}\n\n    fn first() {}\n"),
            "{}",
            state["src/a.rs"]
        );
    }

    #[test]
    fn the_size_counts_added_and_removed_lines() {
        let (_, _, diff) = pair();
        let (added, removed) = diff.size();
        assert!(added > removed && removed >= 4, "{added} {removed}");
    }
}
