//! `start ch02`: a copy of the chapter before, in a folder of the reader's own, to type along in.
//!
//! `my/` is a workspace of its own beside the course's: Git ignores it, no test reads it.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use catalog::chapters::{self, Chapter, Found};
use catalog::error::{problem, problem_at};
use catalog::library;
use catalog::manifest;
use catalog::pages::{self, Page, Room};
use catalog::workspace;
use ground::error::Error;
use ground::text::path_line;

use crate::{progress, reader_position};

/// Which chapter to type along.
#[derive(clap::Args)]
pub struct Args {
    /// The chapter, as ch02
    chapter: String,
}

/// Makes the folder, and says what to do next.
pub fn run(args: &Args) -> Result<(), Error> {
    let root = chapters::root();
    let found = chapters::find(&root, &args.chapter)?;
    make(&root, &found)?;
    let Found { chapter, before, base, .. } = &found;
    let short = &chapter.short;
    let mut out = io::stdout().lock();
    match before {
        _ if begins_on_a_base(&found) && !chapter.about.goes_on => writeln!(
            out,
            "my/{short} is a library of its own that has all of its base's, and a program: Cargo.toml, lib.rs and main.rs."
        )?,
        Some(_) if begins_on_a_base(&found) => writeln!(
            out,
            "my/{short} begins as its base stands at its end: Cargo.toml and main.rs have the new name already, and lib.rs takes by name what you won't change."
        )?,
        Some(before) => {
            let pages = pages::of(&root, before)?;
            let rooms = pages.iter().any(|page| !page.rooms.is_empty());
            writeln!(
                out,
                "my/{short} is {} as it stands at its end{}; Cargo.toml and main.rs have the new name already.",
                before.name,
                if rooms { ", side rooms included" } else { "" }
            )?
        }
        None => writeln!(
            out,
            "my/{short} is an empty library that builds: the book makes a program of it."
        )?,
    }
    if let Some(base) = base {
        let name = &base.name;
        let (place, why) = match chapters::own_base(&root, chapter) {
            Some(_) => (format!("your own my/{}", base.short), "it is green"),
            None => {
                (format!("the course's chapters/{name}"), "no my/{short} of yours is green")
            }
        };
        let why = why.replace("{short}", &base.short);
        writeln!(
            out,
            "It builds on {place}, because {why}: Cargo.toml says so, in the line {name}.path."
        )?;
        if chapter.about.goes_on || !begins_on_a_base(&found) {
            let files =
                "The files that you will change are in src/ already, as they are there.";
            writeln!(out, "{files}")?;
        }
    }
    writeln!(out, "Open the chapter in the book (`mdbook serve book`) and type along. Then:")?;
    let program = match chapters::own(&root, short).join("src/main.rs").is_file() {
        true => "there: your own program, as far as it is",
        false => "there, from the page on that has a main.rs",
    };
    let mut next = vec![
        (format!("cd my/{short} && cargo check"), "at every checkpoint of the book"),
        ("cargo run".into(), program),
        (
            format!("cargo run -- check {short}"),
            "in the course's folder, on any page: where it differs",
        ),
    ];
    if let Some(part) = chapter.about.parts.first() {
        let command = format!("cargo run -- check {short} --part {part}");
        next.push((command, "there: one part by itself, even without a program"));
    }
    for (command, what) in next {
        writeln!(out, "  {command:<44} # {what}")?;
    }
    Ok(out.flush()?)
}

/// Which page to type.
#[derive(clap::Args)]
pub struct TypeArgs {
    chapter: String,
    page: String,
    /// Not what is in its side rooms
    #[arg(long)]
    main_line: bool,
}

/// Types what one page shows.
pub fn type_page(args: &TypeArgs) -> Result<(), Error> {
    let root = chapters::root();
    let found = chapters::find(&root, &args.chapter)?;
    let pages = pages::of(&root, &found.chapter)?;
    let page = &pages[reader_position::upto(&pages, &found.chapter, &args.page)? - 1];
    let own = chapters::own(&root, &found.chapter.short);
    if args.main_line {
        return page.only_main().type_into(&own);
    }
    type_whole(page, &pages, &found, &own)
}

/// Types a page and its side rooms, unless one of them was taken.
fn type_whole(page: &Page, pages: &[Page], found: &Found, own: &Path) -> Result<(), Error> {
    let left = reader_position::left_out(pages, found, own);
    let is_there = |room: &&Room| {
        left.iter().all(|one| one.name != room.name) && !page.only_of(room).listings.is_empty()
    };
    match page.rooms.iter().find(is_there) {
        None => page.type_into(own),
        Some(room) => Err(problem(format!(
            "my/{} has the side room {} already: --main-line types the page without it",
            found.chapter.short, room.name
        ))),
    }
}

/// Whether the chapter is the first on its base: it is no copy of the one before it.
fn begins_on_a_base(found: &Found) -> bool {
    let before = found.before.as_ref().and_then(|before| before.about.base.as_ref());
    found.base.is_some() && before != found.chapter.about.base.as_ref()
}

fn make(root: &Path, found: &Found) -> Result<(), Error> {
    let Found { chapter, base, .. } = found;
    let own = chapters::own(root, &chapter.short);
    if own.symlink_metadata().is_ok() {
        return Err(problem(format!(
            "my/{} exists already and is yours: move it away to start anew",
            chapter.short
        )));
    }
    let mut manifests = vec![manifest(found)?];
    let mut place = String::new();
    if let Some(base) = base {
        manifests.extend(found.manifests_of_bases()?);
        let green = progress::is_green(root, base)?;
        let theirs = format!("../../chapters/{}", base.name);
        place = if green { format!("../{}", base.short) } else { theirs };
    }
    own_workspace(root, manifests)?;
    begin(found, &own, Path::new(&place))
}

/// Writes what a reader begins with into the folder `own`, from which its base, if it has one, is at `place`.
pub fn begin(found: &Found, own: &Path, place: &Path) -> Result<(), Error> {
    let Found { chapter, before, base, .. } = found;
    let mut manifest = manifest(found)?;
    if let Some(base) = base {
        manifest = manifest::on_base(&manifest, &base.name, place);
    }
    fs::create_dir_all(own.join("src"))?;
    fs::write(own.join("Cargo.toml"), manifest)?;
    let sources = own.join("src");
    let modules = match base {
        Some(_) => library::modules_in(&chapter.folder)?,
        None => library::Names::new(),
    };
    match (before, base) {
        (_, Some(base)) if begins_on_a_base(found) => {
            let theirs = fs::read_to_string(base.folder.join("src/lib.rs"))?;
            let library = match chapter.about.goes_on {
                true => library::going_on(&theirs, &base.name, &modules),
                false => library::begun(&head(chapter)?, &base.name, &theirs, &modules),
            };
            fs::write(sources.join("lib.rs"), library)?;
            let program = fs::read_to_string(chapter.folder.join("src/main.rs"))?;
            fs::write(sources.join("main.rs"), program)?;
        }
        (Some(before), _) => {
            copy_folder(&before.folder.join("src"), &sources, &|text| renamed(found, text))?;
        }
        (None, _) => fs::write(sources.join("lib.rs"), head(chapter)?)?,
    }
    if base.is_some() && !begins_on_a_base(found) {
        let library = sources.join("lib.rs");
        let theirs = fs::read_to_string(&library)?;
        fs::write(library, library::taking_less(&theirs, &modules))?;
    }
    for base in found.bases() {
        take_over(&chapter.folder.join("src"), &base.folder.join("src"), &sources)?;
    }
    Ok(())
}

/// Copies the examples that these pages let readers run on code of their own; with the last page, all. Before, they don't
/// compile. They have the chapter's name already.
pub fn bring_examples(
    chapter: &Chapter,
    own: &Path,
    typed: &[Page],
    is_whole: bool,
) -> Result<Vec<String>, Error> {
    let (theirs, own) = (chapter.folder.join("examples"), own.join("examples"));
    let mut new = Vec::new();
    for file in fs::read_dir(&theirs).into_iter().flatten() {
        let file = file?.file_name().to_string_lossy().into_owned();
        let name = file.trim_end_matches(".rs").to_string();
        let is_named = typed.iter().any(|page| page.examples.contains(&name));
        if (is_whole || is_named) && !own.join(&file).exists() {
            fs::create_dir_all(&own)?;
            fs::copy(theirs.join(&file), own.join(&file))?;
            new.push(name);
        }
    }
    new.sort();
    Ok(new)
}

/// The manifest of the chapter before, or of the base that the chapter goes on from, under the new name; or of the chapter
/// itself, where it is no copy.
fn manifest(found: &Found) -> Result<String, Error> {
    let Found { chapter, before, base, .. } = found;
    match (before, base) {
        (_, Some(base)) if begins_on_a_base(found) && chapter.about.goes_on => {
            let theirs = base.told_manifest()?.replace(&base.name, &chapter.name);
            manifest::needing(&theirs, &base.name)
                .map_err(|reason| problem_at(&base.folder.join("Cargo.toml"), reason))
        }
        (Some(before), _) if !begins_on_a_base(found) => {
            Ok(renamed(found, before.told_manifest()?))
        }
        _ => chapter.told_manifest(),
    }
}

fn renamed(found: &Found, text: String) -> String {
    let name = &found.chapter.name;
    match &found.before {
        Some(before) => text
            .replace(&before.name, name)
            .replace(&before.name.replace('-', "_"), &name.replace('-', "_")),
        None => text,
    }
}

/// The base's files that the chapter changes and the one before it did not.
fn take_over(chapter: &Path, base: &Path, own: &Path) -> Result<(), Error> {
    for entry in fs::read_dir(chapter)? {
        let entry = entry?;
        let name = entry.file_name();
        let (base, own) = (base.join(&name), own.join(&name));
        if entry.file_type()?.is_dir() {
            take_over(&entry.path(), &base, &own)?;
        } else if base.is_file() && !own.exists() {
            own.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::copy(base, own)?;
        }
    }
    Ok(())
}

/// The first line of what `start` writes: a file that begins otherwise is the reader's.
const WRITTEN: &str = "# Written by `cargo run -- start`, anew each time.\n";

/// The files that make `my/` a workspace: written anew each time, from the course's own.
fn own_workspace(root: &Path, mut manifests: Vec<String>) -> Result<(), Error> {
    let my = root.join("my");
    let manifest = root.join("Cargo.toml");
    let workspace = workspace::beside(&fs::read_to_string(&manifest)?, "ch*", "..")
        .map_err(|reason| problem_at(&manifest, reason))?;
    let lock = fs::read_to_string(root.join("Cargo.lock"))?;
    for chapter in chapters::all(root)? {
        // One that the reader broke tells nothing of what it needs.
        let own = fs::read_to_string(chapters::own(root, &chapter.short).join("Cargo.toml"));
        if own.as_deref().is_ok_and(|text| manifest::told(text).is_ok()) {
            manifests.extend(own);
            manifests.extend(chapters::find(root, &chapter.short)?.manifests_of_bases()?);
        }
    }
    let workspace = workspace::with_profiles_for(&workspace, &lock, &manifests)
        .map_err(|reason| problem_at(&root.join("Cargo.lock"), reason))?;
    let workspace = workspace.as_str();
    // The same target folder: what the course has built is not built again.
    let config = "[build]\ntarget-dir = \"../target\"\n";
    let files = [("Cargo.toml", workspace), (".cargo/config.toml", config)];
    no_link(&my)?;
    for place in [".cargo", ".cargo/config.toml", "Cargo.toml", "Cargo.lock"] {
        no_link(&my.join(place))?;
    }
    for (name, text) in files {
        ours(&my.join(name), text)?;
    }
    fs::create_dir_all(my.join(".cargo"))?;
    for (name, text) in files {
        fs::write(my.join(name), format!("{WRITTEN}{text}"))?;
    }
    fs::write(my.join("Cargo.lock"), lock)?;
    Ok(())
}

/// What a link leads to may be anything, and is not ours to write.
fn no_link(path: &Path) -> Result<(), Error> {
    match path.symlink_metadata() {
        Ok(found) if found.is_symlink() => Err(problem(format!(
            "{} is a symbolic link, and start writes through none: put a folder or nothing there",
            path_line(path)
        ))),
        _ => Ok(()),
    }
}

/// A file that begins in another way was written by the reader, unless it says the same.
fn ours(path: &Path, text: &str) -> Result<(), Error> {
    let known =
        |found: &[u8]| found.starts_with(WRITTEN.as_bytes()) || found == text.as_bytes();
    match fs::read(path) {
        Ok(found) if !known(&found) => Err(problem(format!(
            "{} was not written by start and is yours: move it away first",
            path_line(path)
        ))),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(problem_at(path, error)),
        _ => Ok(()),
    }
}

fn copy_folder(
    from: &Path,
    to: &Path,
    renamed: &impl Fn(String) -> String,
) -> Result<(), Error> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target, renamed)?;
        } else {
            fs::write(target, renamed(fs::read_to_string(entry.path())?))?;
        }
    }
    Ok(())
}

/// Of a chapter's library the lines that say what it is.
fn head(chapter: &Chapter) -> Result<String, Error> {
    let library = fs::read_to_string(chapter.folder.join("src/lib.rs"))?;
    let head = library.lines().take_while(|line| line.starts_with("//!"));
    Ok(head.map(|line| format!("{line}\n")).collect())
}

#[cfg(test)]
mod tests {
    use catalog::repository::Repository;

    use super::*;
    use crate::{first_difference, take};

    const ROOT: &str = "[workspace]\nmembers = [\"chapters/*\"]\n\n[workspace.dependencies]\nground = { path = \"src/ground\" }\n";
    const CHAPTER: &str = "[package]\nname = \"ch00-sum\"\n\n[dev-dependencies]\n\n[package.metadata.course]\ntitle = \"Sum\"\nbudget = 9\nways = [{ flags = [] }]\n";

    /// A course of two chapters.
    fn small() -> tempfile::TempDir {
        small_in("small")
    }

    /// In a folder whose name begins like this.
    fn small_in(name: &str) -> tempfile::TempDir {
        let folder = tempfile::Builder::new().prefix(name).tempdir();
        let folder = folder.expect("a temporary folder");
        let root = folder.path();
        let write = |file: &str, text: &str| {
            let path = root.join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, text).expect("written");
        };
        write("Cargo.toml", ROOT);
        write("Cargo.lock", "version = 4\n");
        write("chapters/ch00-sum/Cargo.toml", CHAPTER);
        write("chapters/ch00-sum/src/lib.rs", "//! Sums.\n\npub fn ch00() {}\n");
        write("chapters/ch00-sum/src/main.rs", "fn main() {\n    ch00_sum::ch00();\n}\n");
        write("chapters/ch01-more/Cargo.toml", &CHAPTER.replace("ch00-sum", "ch01-more"));
        write("chapters/ch01-more/examples/show.rs", "fn main() {}\n");
        folder
    }

    fn start(root: &Path, short: &str) -> Result<(), Error> {
        make(root, &chapters::find(root, short)?)
    }

    fn read(root: &Path, file: &str) -> String {
        fs::read_to_string(root.join(file)).expect(file)
    }

    #[test]
    fn a_reader_gets_the_chapter_before_and_nothing_that_only_tools_read() {
        let folder = small();
        let root = folder.path();
        for short in ["ch01", "ch00"] {
            start(root, short).expect("started");
        }
        assert_eq!(read(root, "my/ch01/Cargo.toml"), "[package]\nname = \"ch01-more\"\n");
        assert_eq!(
            read(root, "my/ch01/src/main.rs"),
            "fn main() {\n    ch01_more::ch00();\n}\n"
        );
        assert_eq!(read(root, "my/ch00/src/lib.rs"), "//! Sums.\n");
        // Which compiles at the end only.
        let bring = |is_whole| {
            let found = chapters::find(root, "ch01").expect("it is there");
            bring_examples(&found.chapter, &root.join("my/ch01"), &[], is_whole)
        };
        assert_eq!(bring(false).expect("none"), [""; 0]);
        assert!(!root.join("my/ch01/examples").exists());
        assert_eq!(bring(true).expect("copied"), ["show"]);
        assert_eq!(read(root, "my/ch01/examples/show.rs"), "fn main() {}\n");
        assert_eq!(bring(true).expect("it is there"), [""; 0]);
        let workspace = read(root, "my/Cargo.toml");
        assert!(workspace.starts_with(WRITTEN), "{workspace}");
        assert!(workspace.contains("{ path = \"../src/ground\" }"), "{workspace}");
        let again = start(root, "ch01").expect_err("it is there");
        assert!(again.to_string().contains("is yours"), "{again}");
    }

    /// Every chapter and its pages: the repository is read once.
    fn all_told() -> impl Iterator<Item = (Chapter, Vec<Page>)> {
        let root = chapters::root();
        let repository = Repository::open(&root).expect("the book can be read");
        let all = chapters::all(&root).expect("the chapters can be read");
        all.into_iter().map(move |chapter| {
            let pages = pages::in_book(&repository, &chapter.short, &chapter.name);
            (chapter, pages.expect("the pages can be read"))
        })
    }

    /// Listings and the words above them say all: whoever types them has the chapter, but for blank lines.
    #[test]
    fn every_chapter_typed_from_its_pages_alone_is_the_courses() {
        let root = chapters::root();
        for (chapter, pages) in all_told() {
            let found = chapters::find(&root, &chapter.short).expect("it is there");
            let own = tempfile::tempdir().expect("a temporary folder");
            let base = found.base.as_ref().map_or(Path::new(""), |base| &base.folder);
            begin(&found, own.path(), base).expect("a beginning");
            for (at, page) in pages.iter().enumerate() {
                let typed = type_whole(page, &pages, &found, own.path());
                typed.unwrap_or_else(|error| panic!("{}: {error}", chapter.short));
                let last = pages[..=at].iter().rposition(|page| !page.listings.is_empty());
                let typed = reader_position::typed(&pages, &found, own.path());
                assert_eq!(
                    typed,
                    last.map_or(0, |at| at + 1),
                    "{}/{}",
                    chapter.short,
                    page.name
                );
            }
            same(&root, &chapter, own.path());
        }
    }

    /// The main line by hand and each room by `take`, at the last moment that its mark allows.
    #[test]
    fn the_main_line_with_rooms_that_are_taken_is_the_courses() {
        let root = chapters::root();
        let mut taken = 0;
        for (chapter, pages) in all_told() {
            let rooms: Vec<&Room> = pages.iter().flat_map(|page| &page.rooms).collect();
            if rooms.is_empty() {
                continue;
            }
            let found = chapters::find(&root, &chapter.short).expect("it is there");
            let own = tempfile::tempdir().expect("a temporary folder");
            let base = found.base.as_ref().map_or(Path::new(""), |base| &base.folder);
            begin(&found, own.path(), base).expect("a beginning");
            let (kept, mut left) = (own.path().join("kept"), Vec::<&Room>::new());
            let mut take = |room: &Room| {
                let page = pages
                    .iter()
                    .find(|page| page.rooms.iter().any(|one| one.name == room.name));
                let is_empty = page.is_none_or(|page| page.only_of(room).listings.is_empty());
                let said = take::take(&pages, &found, own.path(), &kept, &room.name);
                if is_empty {
                    let error = said.expect_err("there is nothing to take").to_string();
                    return assert!(error.contains("brings no code"), "{error}");
                }
                let said = said.unwrap_or_else(|error| panic!("{}: {error}", room.name));
                assert!(said.contains("lines new"), "{said}");
                taken += 1;
                // Undone, and once more.
                take::undo(&pages, own.path(), &kept, &room.name).expect("undone");
                take::take(&pages, &found, own.path(), &kept, &room.name).expect("taken again");
                let again = take::take(&pages, &found, own.path(), &kept, &room.name);
                let error = again.expect_err("it is there").to_string();
                assert!(error.contains("already"), "{error}");
                let page = page.expect("it is on one");
                let again = type_whole(page, &pages, &found, own.path());
                assert!(again.expect_err("it is there").to_string().contains("already"));
            };
            for page in &pages {
                let is_due = |room: &mut &Room| room.needed_by.as_ref() == Some(&page.name);
                left.extend(&page.rooms);
                left.extract_if(.., is_due).for_each(&mut take);
                let typed = page.only_main().type_into(own.path());
                typed.unwrap_or_else(|error| panic!("{}: {error}", chapter.short));
                let missing = reader_position::left_out(&pages, &found, own.path());
                for room in &left {
                    let is_out = missing.iter().any(|one| one.name == room.name);
                    let brings =
                        pages.iter().any(|page| !page.only_of(room).listings.is_empty());
                    assert_eq!(is_out, brings, "{} after {}", room.name, page.name);
                }
            }
            left.into_iter().for_each(take);
            fs::remove_dir_all(&kept).unwrap_or_default();
            same(&root, &chapter, own.path());
        }
        assert!(taken > 0);
    }

    /// Whether what was typed into `own` is the course's chapter, but for blank lines.
    fn same(root: &Path, chapter: &Chapter, own: &Path) {
        let code = |text: String| -> Vec<String> {
            text.lines().filter(|line| !line.is_empty()).map(String::from).collect()
        };
        let mut files = vec!["Cargo.toml".to_string()];
        for folder in [&*chapter.folder, own] {
            first_difference::sources(folder, "src", &mut files);
        }
        for file in files {
            let read =
                |folder: &Path| fs::read_to_string(folder.join(&file)).unwrap_or_default();
            let (mut mine, mut theirs) = (read(own), read(&chapter.folder));
            if file == "Cargo.toml" {
                theirs = manifest::told(&theirs).expect("a manifest");
                // `start` names a base by where it is.
                let chapters = root.join("chapters").display().to_string();
                mine = mine.replace(&format!("\"{chapters}"), "\"..");
            }
            assert_eq!(code(mine), code(theirs), "{}/{file}", chapter.short);
        }
    }

    #[test]
    fn a_chapter_on_a_base_begins_as_its_base_with_the_files_that_it_will_change() {
        let folder = small();
        let root = folder.path();
        let write = |file: &str, text: &str| {
            let path = root.join(file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, text).expect("written");
        };
        write(
            "chapters/ch01-more/src/lib.rs",
            "//! More.\n\npub mod deep;\npub mod kept;\n\npub fn run() {}\n",
        );
        write("chapters/ch01-more/src/kept.rs", "pub fn kept() {}\n");
        write("chapters/ch01-more/src/deep/taken.rs", "pub fn taken() {}\n");
        for name in ["ch02-top", "ch03-next"] {
            let manifest = CHAPTER.replace("ch00-sum", name);
            let manifest = manifest.replace(
                "\n[dev",
                "\n[dependencies]\nch01-more.path = \"../ch01-more\"\n\n[dev",
            );
            let folder = format!("chapters/{name}");
            write(&format!("{folder}/Cargo.toml"), &(manifest + "base = \"ch01\"\n"));
            let own = name.replace('-', "_");
            let list = if name == "ch02-top" { "{deep, kept}" } else { "kept" };
            let mods = if name == "ch02-top" { "" } else { "pub mod deep;\n" };
            let library = format!(
                "//! On top.\n\nuse ch01_more as base;\n\npub use base::{list};\n\n{mods}pub mod own;\n"
            );
            write(&format!("{folder}/src/lib.rs"), &library);
            write(&format!("{folder}/src/main.rs"), &format!("fn main() {{ {own}::run() }}\n"));
            write(&format!("{folder}/src/own.rs"), "pub fn own() {}\n");
        }
        write("chapters/ch03-next/src/deep/taken.rs", "pub fn taken() { todo!() }\n");
        write("Cargo.toml", &format!("{ROOT}\n[profile.dev.package.ground]\nopt-level = 2\n"));

        start(root, "ch02").expect("started");
        let library =
            "//! On top.\n\nuse ch01_more as base;\n\npub use base::{deep, kept, run};\n";
        assert_eq!(read(root, "my/ch02/src/lib.rs"), library);
        assert_eq!(read(root, "my/ch02/src/main.rs"), "fn main() { ch02_top::run() }\n");
        assert!(!root.join("my/ch02/src/own.rs").exists());
        let on = |place: &str| format!("\nch01-more.path = \"{place}\"\n");
        let manifest = read(root, "my/ch02/Cargo.toml");
        assert!(manifest.contains(&on("../../chapters/ch01-more")), "{manifest}");
        assert!(!manifest.contains("metadata"), "{manifest}");
        // The base is no member, and as fast as one; what none of them needs is not named.
        let workspace = read(root, "my/Cargo.toml");
        let profile = "[profile.dev.package.ch01-more]\nopt-level = 2\n";
        assert!(
            workspace.contains(profile) && !workspace.contains("package.ground"),
            "{workspace}"
        );

        // The reader's own base, once it is green; and then it is a copy of the one before.
        start(root, "ch01").expect("started");
        write("my/.check/ch01.txt", "green");
        start(root, "ch03").expect("started");
        let manifest = read(root, "my/ch03/Cargo.toml");
        assert!(manifest.contains(&on("../ch01")), "{manifest}");
        // What it will change is declared, and no longer the base's.
        assert_eq!(
            read(root, "my/ch03/src/lib.rs"),
            read(root, "chapters/ch03-next/src/lib.rs")
        );
        assert_eq!(read(root, "my/ch03/src/main.rs"), "fn main() { ch03_next::run() }\n");
        assert_eq!(read(root, "my/ch03/src/deep/taken.rs"), "pub fn taken() {}\n");
        assert!(!root.join("my/ch03/src/kept.rs").exists());
    }

    #[test]
    fn what_the_reader_wrote_is_not_overwritten() {
        for file in ["Cargo.toml", ".cargo/config.toml"] {
            let folder = small();
            let root = folder.path();
            fs::create_dir_all(root.join("my/.cargo")).expect("made");
            fs::write(root.join("my").join(file), "[mine]\n").expect("written");
            let error = start(root, "ch01").expect_err("not its own").to_string();
            assert!(error.contains(file) && error.contains("is yours"), "{error}");
            assert_eq!(read(root, &format!("my/{file}")), "[mine]\n");
            assert!(!root.join("my/ch01").exists());
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_of_any_name_is_shown_in_one_line() {
        let break_it: [fn(&Path); 4] = [
            |root| {
                fs::write(root.join("chapters/ch00-sum/Cargo.toml"), "a = 1").expect("written")
            },
            |root| fs::write(root.join("Cargo.toml"), "[a]").expect("written"),
            |root| fs::create_dir_all(root.join("my/Cargo.toml")).expect("made"),
            |root| std::os::unix::fs::symlink("a", root.join("my")).expect("linked"),
        ];
        for break_it in break_it {
            let folder = small_in("a\n\u{1b}[2J");
            break_it(folder.path());
            let error = start(folder.path(), "ch01").expect_err("broken").to_string();
            assert!(error.contains(r"a\n\u{1b}[2J"), "{error}");
            assert!(!error.contains(char::is_control), "{error:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_written_through_a_link() {
        for name in [
            "my",
            "my/.cargo",
            "my/.cargo/config.toml",
            "my/Cargo.toml",
            "my/Cargo.lock",
            "my/ch01",
        ] {
            let folder = small();
            let root = folder.path();
            let elsewhere = tempfile::tempdir().expect("a temporary folder");
            let target = elsewhere.path().join("nothing");
            let link = root.join(name);
            fs::create_dir_all(link.parent().expect("a folder")).expect("made");
            std::os::unix::fs::symlink(&target, &link).expect("linked");
            let error = start(root, "ch01").expect_err(name).to_string();
            assert!(error.contains(name) && !error.contains('\n'), "{error}");
            assert!(!target.exists(), "{name}");
        }
    }

    /// A fault of a page is put in once what the page types compiles, and what it changes has to be there then.
    #[test]
    fn what_a_fault_of_a_page_changes_is_there_once() {
        let root = chapters::root();
        let (mut tried, mut wrong) = (0, Vec::new());
        for (chapter, pages) in all_told() {
            let mut faults =
                faults::read(&chapter.folder.join("faults.toml")).expect("its faults");
            faults.retain(|fault| fault.page.is_some());
            let found = chapters::find(&root, &chapter.short).expect("it is there");
            let own = tempfile::tempdir().expect("a temporary folder");
            begin(&found, own.path(), Path::new("")).expect("begun");
            let mut typed = Vec::new();
            for page in pages {
                page.type_into(own.path()).expect("typed");
                typed.push(page.name.clone());
                let now = if page.compiles { typed.len() } else { 0 };
                for name in typed.drain(..now) {
                    for fault in faults.extract_if(.., |one| one.page.as_ref() == Some(&name)) {
                        let file = own.path().join(fault.file.as_ref().expect("its file"));
                        let text = fs::read_to_string(file).unwrap_or_default();
                        tried += 1;
                        wrong.extend(
                            fault.apply(&text).err().map(|error| (name.clone(), error)),
                        );
                    }
                }
            }
            wrong.extend(faults.into_iter().map(|fault| (fault.name, "no such page".into())));
        }
        assert_eq!(wrong, [], "pages, and what is wrong there");
        assert!(tried > 40, "{tried}");
    }
}
