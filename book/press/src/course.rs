//! The repository as the book machine sees it: settings, chapters, ground floor.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::fault::{CourseError, files_under, read};

/// `book/course.json`: every number and list that a person decides, in one place.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The most words a page may have.
    pub words_per_page: usize,
    /// Rust blocks in the book that are neither listings nor taken from a file.
    pub illustrations: usize,
    /// Files of the ground floor that the book prints whole.
    pub ground: Vec<String>,
    /// Added and removed lines a chapter may have, by its short name.
    pub budgets: BTreeMap<String, usize>,
    /// Chapters whose prose is still being written: their lines need no page yet. Empty when the book is whole.
    #[serde(default)]
    pub unwritten: Vec<String>,
}

/// One engine as it stands at the end of its chapter; the ground floor is told as a chapter of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chapter {
    /// `ch02`, as names in the book begin.
    pub short: String,
    /// `ch02-kv-cache`, the package and its folder.
    pub package: String,
    /// Folder relative to the repository.
    pub folder: String,
    /// `src/main.rs` and the like, to text.
    pub files: BTreeMap<String, String>,
}

impl Chapter {
    /// The crate's name inside Rust code.
    pub fn crate_name(&self) -> String {
        self.package.replace('-', "_")
    }
}

#[derive(Clone, Debug)]
pub struct Course {
    pub root: PathBuf,
    pub settings: Settings,
    /// In the order in which they build on one another.
    pub chapters: Vec<Chapter>,
    pub ground: Chapter,
}

impl Course {
    pub fn open(root: &Path) -> Result<Course, CourseError> {
        let path = root.join("book/course.json");
        let settings: Settings =
            serde_json::from_str(&read(&path)?).map_err(|e| CourseError::content(&path, e))?;
        let mut ground = Chapter {
            short: "ground".into(),
            package: "ground".into(),
            folder: "src/ground".into(),
            ..Chapter::default()
        };
        for file in &settings.ground {
            ground.files.insert(file.clone(), read(&root.join(&ground.folder).join(file))?);
        }
        Ok(Course {
            root: root.to_path_buf(),
            settings,
            chapters: chapters_under(root)?,
            ground,
        })
    }

    pub fn book(&self) -> PathBuf {
        self.root.join("book/src")
    }

    pub fn generated(&self) -> PathBuf {
        self.root.join("book/src/generated")
    }

    pub fn chapter(&self, short: &str) -> Option<&Chapter> {
        self.chapters.iter().chain([&self.ground]).find(|chapter| chapter.short == short)
    }

    /// A chapter named in full (`ch02-kv-cache`) or in short (`ch02`).
    pub fn chapter_named(&self, name: &str) -> Option<&Chapter> {
        self.chapters
            .iter()
            .chain([&self.ground])
            .find(|chapter| chapter.short == name || chapter.package == name)
    }
}

fn chapters_under(root: &Path) -> Result<Vec<Chapter>, CourseError> {
    let folder = root.join("chapters");
    let Ok(entries) = std::fs::read_dir(&folder) else { return Ok(Vec::new()) };
    let mut packages: Vec<String> = entries
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    packages.retain(|name| {
        short_name(name).is_some() && folder.join(name).join("Cargo.toml").is_file()
    });
    packages.sort();
    packages.iter().map(|package| load_chapter(root, package)).collect()
}

/// `ch02` of `ch02-kv-cache`; nothing for a folder that is no chapter.
pub fn short_name(package: &str) -> Option<&str> {
    let (short, _) = package.split_once('-')?;
    let digits = short.strip_prefix("ch")?;
    (digits.len() == 2 && digits.bytes().all(|b| b.is_ascii_digit())).then_some(short)
}

fn load_chapter(root: &Path, package: &str) -> Result<Chapter, CourseError> {
    let folder = format!("chapters/{package}");
    let path = root.join(&folder);
    let mut files = BTreeMap::new();
    for file in files_under(&path)? {
        if file == "Cargo.toml" || file.starts_with("src/") {
            files.insert(file.clone(), read(&path.join(&file))?);
        }
    }
    let short = short_name(package).unwrap_or(package).to_string();
    Ok(Chapter { short, package: package.into(), folder, files })
}
