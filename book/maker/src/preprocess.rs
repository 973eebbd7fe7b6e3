//! What mdBook asks for before it builds the book (`book.toml`): its pages come with includes, and go back with what
//! these bring. Nothing of that is ever written into `book/src`.
//!
//! A page that would not be whole stops the build: mdBook shows the book that it built before.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use catalog::rooms::marks;
use serde_json::{Value, json};

use crate::book::Book;
use crate::claims::Claims;
use crate::fault::{BookError, Fault, files_under, write};
use crate::generate;
use crate::include::{brought, expanded};
use crate::made::{Files, WHOLE_FILES, whole_pages};
use crate::page::Page;
use crate::repository::Repository;
use crate::rooms::boxed;
use crate::sources::Sources;

/// What mdBook makes of a page differs from version to version, and so do the names that our theme uses.
const MDBOOK: &str = "0.5.4";

/// What is made is made from the files in these folders. `mdbook serve` watches them, too (`book.toml`).
const SOURCES: [&str; 6] = [
    "chapters",
    "src/ground",
    "book/formulas",
    "book/measurements",
    "book/runs",
    generate::ANSWERS,
];

/// `input` is mdBook's `[context, book]`; what comes back is its book, or what is wrong with it. `memory`: the file that
/// keeps what was made, for the next time.
pub fn book(
    root: &Path,
    input: &str,
    memory: Option<&Path>,
) -> Result<Result<Value, Vec<Fault>>, BookError> {
    let refused = |why: String| BookError::content(Path::new("book/book.toml"), why);
    let [context, mut book]: [Value; 2] = serde_json::from_str(input)
        .map_err(|error| refused(format!("mdBook runs this with its book: {error}")))?;
    let version = context["mdbook_version"].as_str().unwrap_or("unknown");
    if version != MDBOOK {
        return Err(refused(format!(
            "this book is made for mdBook {MDBOOK}, and this is {version}: \
             `cargo install mdbook --version {MDBOOK} --locked`"
        )));
    }
    let (made, mut faults) = made(root, memory)?;
    if let Some(items) = book["items"].as_array_mut() {
        for item in items.iter_mut() {
            expand(item, &root.join("book/src"), &made, &mut faults);
        }
        let last = items.iter().filter_map(|item| item["Chapter"]["number"][0].as_u64()).max();
        items.push(json!({"PartTitle": WHOLE_FILES}));
        for (at, page) in whole_pages(root)?.iter().enumerate() {
            items.push(json!({"Chapter": {
                "name": page.title,
                "content": made.get(&page.name).map_or("", String::as_str),
                "number": [last.unwrap_or(0) + 1 + at as u64],
                "sub_items": [],
                "path": page.path(),
                "source_path": page.path(),
                "parent_names": [],
            }}));
        }
    }
    if !faults.is_empty() {
        return Ok(Err(faults));
    }
    beside(root)?;
    Ok(Ok(book))
}

fn expand(item: &mut Value, book: &Path, made: &Files, faults: &mut Vec<Fault>) {
    let Some(chapter) = item.get_mut("Chapter") else { return };
    if let (Some(path), Some(source)) = (chapter["path"].as_str(), chapter["content"].as_str())
    {
        let beside = book.join(path);
        let title = |name: &str| {
            let text = fs::read_to_string(beside.with_file_name(format!("{name}.md"))).ok()?;
            Page::parse(path, &text).title().map(String::from)
        };
        let is_room =
            marks(source).is_ok_and(|marks| marks.iter().any(|mark| mark.stretch.is_none()));
        let whole = boxed(path, source, title).map_err(|wrong| vec![wrong]);
        match whole.and_then(|page| expanded(&page, |target| brought(book, made, path, target)))
        {
            Ok(text) => chapter["content"] = text.into(),
            Err(wrong) => faults.extend(
                wrong
                    .into_iter()
                    .map(|(line, why)| Fault::at(format!("book/src/{path}"), line, why)),
            ),
        }
        if let (true, Some(name)) = (is_room, chapter["name"].as_str()) {
            chapter["name"] = format!("{name} (side room)").into();
        }
    }
    for item in chapter["sub_items"].as_array_mut().into_iter().flatten() {
        expand(item, book, made, faults);
    }
}

/// What mdBook reads beside the pages, and only from files: both are written where Git does not look, and only if they
/// differ, or `mdbook serve` would see a change in each of its own builds.
fn beside(root: &Path) -> Result<(), BookError> {
    let failed = |path: &Path| {
        let path = path.to_path_buf();
        move |source| BookError::File { path, source }
    };
    let (header, line) = (root.join("book/theme/header.hbs"), generate::places(root)?);
    if fs::read_to_string(&header).ok().as_ref() != Some(&line) {
        write(&header, &line)?;
    }
    let model = root.join("src/ground/embedded/tiny-qwen3.gguf");
    let copy = root.join("book/src/engine/tiny-qwen3.gguf");
    let bytes = fs::read(&model).map_err(failed(&model))?;
    if fs::read(&copy).ok().as_ref() != Some(&bytes) {
        fs::write(&copy, bytes).map_err(failed(&copy))?;
    }
    Ok(())
}

/// All that is made for the pages. It is kept until something changes that it is made from: prose is not.
fn made(root: &Path, memory: Option<&Path>) -> Result<(Files, Vec<Fault>), BookError> {
    let pages = Book::read(&root.join("book/src"))?;
    let key = key(root, &pages)?;
    let kept = memory.and_then(|memory| fs::read(memory).ok());
    let kept: Option<(u64, Files)> = kept.and_then(|kept| serde_json::from_slice(&kept).ok());
    if let Some((_, files)) = kept.filter(|(of, _)| *of == key) {
        return Ok((files, Vec::new()));
    }
    eprintln!("bookmaker: reads the chapters and makes listings, tables and formulas");
    let repository = Repository::open(root)?;
    let claims = Claims::tell(&repository, &pages);
    let sources = Sources::of(&repository, &pages, &claims);
    let (files, mut faults) = generate::expected(&sources)?;
    faults.extend(claims.faults.clone());
    if let Some(memory) = memory.filter(|_| faults.is_empty()) {
        // Whoever cannot keep it makes it again.
        let _ = keep(memory, &(key, &files));
    }
    Ok((files, faults))
}

/// Another mdBook may read the file at this moment.
fn keep(memory: &Path, made: &(u64, &Files)) -> std::io::Result<()> {
    let bytes = serde_json::to_vec(made)?;
    catalog::chapters::replace(memory, |new| fs::write(new, bytes))
}

/// A number for all that the files are made from: this program, every file below these folders by its size and time, and of
/// the pages their summary, what they include, what they are called and about how long they are; likewise of the side rooms.
fn key(root: &Path, pages: &Book) -> Result<u64, BookError> {
    let mut hasher = DefaultHasher::new();
    let mut stamp = |path: PathBuf| {
        let meta = path.metadata().map(|meta| (meta.len(), meta.modified().ok()));
        (path, meta.ok()).hash(&mut hasher);
    };
    stamp(std::env::current_exe().unwrap_or_default());
    for file in ["course.json", "runs.json", "tables.json"] {
        stamp(root.join("book").join(file));
    }
    for folder in SOURCES.map(|folder| root.join(folder)) {
        for file in files_under(&folder)? {
            stamp(folder.join(file));
        }
    }
    pages.summary.source.hash(&mut hasher);
    let rooms: Vec<Page> = pages.pages.iter().flat_map(Page::rooms).collect();
    for page in pages.pages.iter().chain(&rooms) {
        let targets: Vec<String> =
            page.includes().into_iter().map(|(target, _)| target).collect();
        (&page.path, page.title(), page.words_about(), targets).hash(&mut hasher);
    }
    Ok(hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mdbook_watches_what_the_book_is_made_from() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let settings = fs::read_to_string(root.join("book/book.toml")).expect("book.toml");
        let (_, watched) = settings.split_once("extra-watch-dirs = [\".\"").expect("a list");
        let (watched, _) = watched.split_once(']').expect("its end");
        for folder in SOURCES {
            assert!(root.join(folder).is_dir(), "{folder}");
            let named = watched.contains(&format!("\"../{folder}\""));
            assert!(named || folder.starts_with("book/"), "{folder} is not watched");
        }
    }
}
