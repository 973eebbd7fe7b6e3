//! The checker checked: each fault it guards against, put into a small true book, is found at its place.

use std::fs;
use std::path::{Path, PathBuf};

use bookmaker::book::Book;
use bookmaker::claims::Claims;
use bookmaker::generate::{self, readme};
use bookmaker::repository::Repository;
use bookmaker::sources::Sources;
use bookmaker::{checkpoints, new, preprocess, proofread};
use serde_json::{Value, json};

const OLD_CODE: &str = "//! Adds.\n\nuse std::fmt;\n\npub fn add(a: u32, b: u32) -> u32 {\n    a + b\n}\n\npub fn show(out: &mut String) -> fmt::Result {\n    out.push('x');\n    Ok(())\n}\n";
const MAIN: &str = "fn main() {\n    println!(\"{}\", ch00_sum::add(1, 2));\n}\n";
const GROUND: &str = "//! The file.\n\npub fn open() {}\n";
const PAGE_0: &str = "# Adding\n\nThe package names its parts, and nothing else.\n\n{{#include ../generated/ch00/Cargo.toml.md}}\n\nTwo numbers become one in this function of the library.\n\n{{#include ../generated/ch00/lib.rs/head+use+fn-add.md}}\n\nAnd this one shows what it has been given.\n\n{{#include ../generated/ch00/lib.rs/fn-show.md}}\n\n{{#include ../generated/ch00/main.rs.md}}\n\nThe program calls the library and prints the sum.\n\n{{#include ../generated/checkpoint.md}}\n";
const PAGE_1: &str = "# Wrapping {#wrap}\n\nA sum that is too large must not stop the program. It took {{= now | 1}} ms,\nwhich is {{= before / now}} times faster than before, see [adding](../ch00/add.md#adding).\n\n{{#include ../generated/ch01/lib.rs/fn-add.md}}\n\n{{#include ../generated/checkpoint.md}}\n\n{{#include ../generated/formulas/sum.md}}\n\n![A staircase](../figures/stairs.svg)\n\n```rust,illustration\nlet x = 1;\n```\n\nLike {{= speed}} tok/s.\n\n<!-- numbers\nnow = add.json#/ms\nbefore = add.json#/before\nspeed = 80 // an example\n-->\n";
const PAGE_GROUND: &str = "# The file\n\nOpening does nothing, which is quick: {{= now | 1}} ms. It is {{half of what it was = now / old in 0.45..0.55}}, see [below](#60-steps).\n\n{{#include ../generated/ground/file.rs.md}}\n\n## {{= limit}} steps\n\n{{#include ../generated/runs/sum.md}}\n\n<!-- numbers\nnow = add.json#/ms\nold = add.json#/before\nlimit = 60 // an example\n-->\n";
const SUMMARY: &str = "# Summary\n\n- [The file](ground/file.md)\n- [Adding](ch00/add.md)\n- [Wrapping](ch01/wrap.md)\n";
const SETTINGS: &str =
    "{\"words_per_page\": 60, \"illustrations\": 1, \"ground\": [\"src/file.rs\"]}\n";
const ROOT: &str = "[workspace]\nresolver = \"3\"\nmembers = [\"chapters/*\"]\n\n[workspace.package]\nedition = \"2024\"\n";

/// A course of two chapters in a folder of its own.
struct Small {
    folder: tempfile::TempDir,
}

impl Small {
    fn new() -> Small {
        let small = Small { folder: tempfile::tempdir().expect("a temporary folder") };
        let manifest = |name: &str, title: &str, budget: usize| {
            format!(
                "[package]\nname = \"{name}\"\ndescription = \"About {name}\"\nedition.workspace = true\n\n\
                 [dependencies]\n\n[dev-dependencies]\n\n[package.metadata.course]\ntitle = \"{title}\"\nbudget = {budget}\n\
                 ways = [{{ flags = [] }}]\n"
            )
        };
        small.write("Cargo.toml", ROOT);
        small.write("src/ground/src/file.rs", GROUND);
        small.write("chapters/ch00-sum/Cargo.toml", &manifest("ch00-sum", "Adding", 40));
        small.write("chapters/ch00-sum/src/lib.rs", OLD_CODE);
        small.write("chapters/ch00-sum/src/main.rs", MAIN);
        small.write("chapters/ch01-wrap/Cargo.toml", &manifest("ch01-wrap", "Wrapping", 4));
        small.write(
            "chapters/ch01-wrap/src/lib.rs",
            &OLD_CODE.replace("a + b", "a.wrapping_add(b)"),
        );
        small.write("chapters/ch01-wrap/src/main.rs", &MAIN.replace("ch00_sum", "ch01_wrap"));
        small.write("book/course.json", SETTINGS);
        small.write("README.md", "# Sums\n\n<!-- chapters: written by `cargo book generate` -->\n<!-- /chapters -->\n\nMore.\n");
        small.write("book/runs.json", "{\"sum\": {\"command\": \"cargo run -p ch00-sum\", \"recorded\": \"add.json#/console\"}}");
        small.write(
            "book/measurements/add.json",
            "{\"ms\": 12.52, \"before\": 25.1, \"console\": [\"3\"]}\n",
        );
        small.write("book/formulas/all.tex", "% sum\ns = a + b\n");
        small.write("book/src/figures/stairs.svg", "<svg xmlns=\"x\"></svg>\n");
        small.write("book/src/SUMMARY.md", SUMMARY);
        small.write("book/src/ch00/add.md", PAGE_0);
        small.write("book/src/ch01/wrap.md", PAGE_1);
        small.write("book/src/ground/file.md", PAGE_GROUND);
        small.write("src/ground/embedded/tiny-qwen3.gguf", "a model");
        small.write("book/src/engine/worker.js", "");
        small.write_readme();
        small
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    fn path(&self, file: &str) -> PathBuf {
        self.root().join(file)
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.path(file);
        fs::create_dir_all(path.parent().expect("a file has a folder"))
            .expect("folders can be made");
        fs::write(path, text).expect("files can be written");
    }

    /// Puts the fault in: `from` is there, and becomes `to`.
    fn change(&self, file: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.path(file)).expect(file);
        assert!(text.contains(from), "{file} holds no {from:?}");
        self.write(file, &text.replacen(from, to, 1));
    }

    fn append(&self, file: &str, more: &str) {
        let text = fs::read_to_string(self.path(file)).expect(file);
        self.write(file, &(text + more));
    }

    fn write_readme(&self) {
        let repository = Repository::open(self.root()).expect("the course can be read");
        readme::update(&repository).expect("written");
    }

    /// What the pages include under this name.
    #[track_caller]
    fn made(&self, name: &str) -> String {
        let repository = Repository::open(self.root()).expect("the course can be read");
        let book = Book::load(&repository).expect("the book can be read");
        let claims = Claims::tell(&repository, &book);
        let made =
            generate::expected(&Sources::of(&repository, &book, &claims)).expect("made").0;
        made.get(name).unwrap_or_else(|| panic!("{name} is not made")).clone()
    }

    /// The book as mdBook of this version would give it to the bookmaker and get it back, or what is wrong.
    fn preprocessed(&self, version: &str) -> Result<Value, String> {
        let page = |path: &str| {
            let content = fs::read_to_string(self.path(&format!("book/src/{path}")));
            json!({"Chapter": {"name": path, "content": content.expect(path), "number": [1],
                "sub_items": [], "path": path, "source_path": path, "parent_names": []}})
        };
        let mut first = page("ch00/add.md");
        first["Chapter"]["sub_items"] = json!([page("ch01/wrap.md")]);
        let items = json!([page("ground/file.md"), {"PartTitle": "Part"}, first, "Separator"]);
        let input = json!([{"mdbook_version": version}, {"items": items}]);
        match preprocess::book(self.root(), &input.to_string(), None) {
            Ok(Ok(book)) => Ok(book),
            Ok(Err(faults)) => {
                Err(faults.iter().map(|fault| format!("{fault}\n")).collect::<String>())
            }
            Err(error) => Err(error.to_string()),
        }
    }

    fn faults(&self) -> Vec<String> {
        let repository = Repository::open(self.root()).expect("the course can be read");
        proofread::all(&repository)
            .expect("the book can be read")
            .iter()
            .map(|fault| fault.to_string())
            .collect()
    }

    #[track_caller]
    fn finds(&self, place: &str, message: &str) {
        let faults = self.faults();
        let found =
            faults.iter().any(|fault| fault.starts_with(place) && fault.contains(message));
        assert!(found, "no fault at {place} about {message:?} in:\n{}", faults.join("\n"));
    }
}

#[test]
fn a_page_prints_its_numbers_and_not_their_names() {
    let small = Small::new();
    let book = small.preprocessed("0.5.4").expect("a book");
    let page = book["items"][0]["Chapter"]["content"].as_str().expect("a page");
    assert!(page.contains("quick: 12.5 ms. It is half of what it was, see"), "{page}");
    assert!(page.contains("\n## 60 steps\n"), "{page}");
    assert!(!page.contains("{{") && !page.contains("<!--"), "{page}");
    small.change("book/src/ground/file.md", "now | 1", "then | 1");
    let refused = small.preprocessed("0.5.4").expect_err("no such number");
    assert!(refused.contains("ground/file.md:3: no number of this page is named 'then'"));
}

#[test]
fn a_recording_made_anew_turns_each_sentence_red_that_it_contradicts() {
    let small = Small::new();
    let (page, recording) = ("book/src/ground/file.md", "book/measurements/add.json");
    small.change(recording, "12.52", "15.02");
    let said = "no longer true: \"It is half of what it was, see [below](#60-steps).\": now / old is 0.598";
    small.finds(&format!("{page}:3"), said);
    let here = small.faults().into_iter().filter(|fault| fault.starts_with(page));
    assert_eq!(here.count(), 1, "the digits follow by themselves");
    small.change(recording, "15.02", "12.52");
    let outside: String =
        (0..41).map(|at| format!("x{at} = 1 // a data sheet, 2026-11\n")).collect();
    small.change(page, "now = ", &(outside + "now = "));
    small.finds("book/src", "41 numbers come from outside, and 40 may");
}

#[test]
fn a_true_book_has_no_fault() {
    let faults = Small::new().faults();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn each_fault_of_the_list_is_found_at_its_place() {
    let small = Small::new();
    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/faults/bookmaker.toml");
    for fault in faults::read(&list).expect("a list of faults") {
        let file = fault.file.as_ref().expect("its file");
        let text = fs::read_to_string(small.path(file)).expect(file);
        small.write(file, &fault.apply(&text).expect("its text"));
        for red in &fault.red {
            let (place, message) = red.split_once(": ").expect("a place and a message");
            small.finds(place, message);
        }
        small.write(file, &text);
    }
}

#[test]
fn a_file_that_is_typed_on_a_page_and_compiled_on_none() {
    let small = Small::new();
    small.write("chapters/ch01-wrap/src/deep/mod.rs", "mod far;\n");
    small.write("chapters/ch01-wrap/src/deep/far.rs", "pub fn sub() {}\n");
    let page = "book/src/ch01/wrap.md";
    let more = "\nA file that is far away.\n\n{{#include ../generated/ch01/deep/far.rs.md}}\n";
    small.append(page, more);
    small
        .finds(page, "src/deep/far.rs is not compiled: expected `mod far;` in src/deep/mod.rs");
    small.append(page, "\n{{#include ../generated/ch01/deep/mod.rs.md}}\n");
    small.finds(page, "src/deep/far.rs is not compiled: expected `mod deep;` in src/lib.rs");
}

#[test]
fn a_chapter_still_being_written_is_named_in_the_settings_and_nowhere_else() {
    let small = Small::new();
    small.append("chapters/ch01-wrap/src/lib.rs", "\npub fn sub() {}\n");
    small.change("chapters/ch01-wrap/Cargo.toml", "budget = 4", "budget = 9");
    small.change("book/course.json", "\"ground\":", "\"unwritten\": [\"ch01\"], \"ground\":");
    assert_eq!(small.faults(), Vec::<String>::new());
}

#[test]
fn a_summary_explains_the_listings_that_it_folds() {
    let small = Small::new();
    small.change(
        "book/src/ch00/add.md",
        "Two numbers become one in this function of the library.",
        "<details class=\"plumbing\"><summary>Plumbing: who passes two numbers along</summary>",
    );
    assert_eq!(small.faults(), Vec::<String>::new());
}

#[test]
fn nothing_is_made_of_a_conflict_that_nobody_settled() {
    let small = Small::new();
    let library = "chapters/ch01-wrap/src/lib.rs";
    let conflict =
        "    <<<<<<< 1\n<<<<<<< later chapter\n    a\n=======\n    b\n>>>>>>> edited chapter\n";
    small.change(library, "    a.wrapping_add(b)\n", conflict);
    small.finds(&format!("{library}:7"), "a conflict that is not settled");
    let refused = small.preprocessed("0.5.4").expect_err("a conflict");
    assert!(refused.contains(&format!("{library}:7: a conflict")), "{refused}");
    small.change(library, "<<<<<<< later chapter\n", "");
    small.finds(&format!("{library}:10"), "a conflict that is not settled");
}

#[test]
fn a_console_block_that_no_recording_has() {
    let small = Small::new();
    assert_eq!(small.made("runs/sum.md"), "```console\n$ cargo run -p ch00-sum\n3\n```\n");
    small.change("book/runs.json", "#/console", "#/nothing");
    small.finds("book/runs.json (sum)", "nothing at /nothing");
    small.write("book/runs.json", "{\"sum\": {\"command\": \"cargo run -p ch00-sum\"}}");
    small.finds("book/runs.json (sum)", "not run yet");
    small.write("book/runs/sum.md", "```console\n$ cargo run -p ch00-sum\n4\n```\n");
    assert_eq!(small.faults(), Vec::<String>::new());
}

#[test]
fn a_table_whose_numbers_no_recording_has() {
    let small = Small::new();
    let table = |pointer: &str| {
        let cell = format!("=1 add.json#/{pointer}");
        let table =
            serde_json::json!({"speeds": {"head": ["", "ms"], "rows": [["add", cell]]}});
        small.write("book/tables.json", &table.to_string());
    };
    table("ms");
    assert!(small.made("tables/speeds.md").contains("| add | 12.5 |"));
    table("nothing");
    small.finds("book/tables.json (speeds)", "nothing at /nothing");
}

#[test]
fn a_drawing_that_ends_early_or_says_nothing() {
    let small = Small::new();
    small.append(
        "book/src/ch01/wrap.md",
        "\n{{#include ../figures/a.svg}}\n\n{{#include ../figures/b.svg}}\n",
    );
    small.write("book/src/figures/a.svg", "<svg>\n\n<title>x</title></svg>\n");
    small.write("book/src/figures/b.svg", "<svg>\n</svg>\n");
    small.finds("book/src/ch01/wrap.md:26", "blank line inside");
    small.finds("book/src/ch01/wrap.md:28", "neither <title> nor aria-label");
}

#[test]
fn a_chapter_that_does_not_describe_itself() {
    let small = Small::new();
    let manifest = "chapters/ch01-wrap/Cargo.toml";
    small.change(manifest, "title = \"Wrapping\"\n", "");
    let error =
        Repository::open(small.root()).expect_err("a chapter without a title").to_string();
    let file = small.path(manifest).display().to_string();
    assert!(error.starts_with(&file) && error.contains("missing field `title`"), "{error}");
    small.change(manifest, "[package.metadata.course]", "[package.metadata.curse]");
    let error =
        Repository::open(small.root()).expect_err("a chapter without metadata").to_string();
    assert!(error.starts_with(&file) && error.contains("expected a table"), "{error}");
}

#[test]
fn a_chapter_with_two_titles() {
    let small = Small::new();
    small.write("book/src/ch01/index.md", "# Wrap\n");
    small.append("book/src/SUMMARY.md", "- [Wrap](ch01/index.md)\n");
    small.finds("book/src/SUMMARY.md:6", "expected \"1. Wrapping\"");
    small.change("book/src/SUMMARY.md", "[Wrap]", "[1. Wrapping]");
    small.finds("book/src/ch01/index.md:1", "expected \"Chapter 1: Wrapping\"");
}

#[test]
fn what_a_manifest_says_to_tools_is_in_no_listing() {
    let small = Small::new();
    let listing = small.made("ch00/Cargo.toml.md");
    assert!(listing.contains("edition.workspace"), "{listing}");
    assert!(
        !listing.contains("dev-dependencies") && !listing.contains("metadata"),
        "{listing}"
    );
    small.change(
        "chapters/ch01-wrap/Cargo.toml",
        "[dev-dependencies]\n",
        "[dev-dependencies]\nx = \"1\"\n",
    );
    assert_eq!(small.faults(), Vec::<String>::new());
}

#[test]
fn the_next_chapter_is_made_whole_and_without_a_fault() {
    let small = Small::new();
    let repository = Repository::open(small.root()).expect("the course can be read");
    for refused in
        ["ch03-more", "ch01-more", "ch01-wrap", "ch2-more", "ch02", "ch02-a b", "ch02-", "../x"]
    {
        let error = new::make(&repository, refused, None).expect_err(refused).to_string();
        assert!(!error.contains('\n'), "{error}");
        assert!(
            error.contains("is called ch02-words") || error.contains("is there already"),
            "{error}"
        );
    }
    new::make(&repository, "ch02-two-more", None).expect("made");
    assert_eq!(small.faults(), Vec::<String>::new());

    let read = |file: &str| fs::read_to_string(small.path(file)).expect(file);
    assert_eq!(
        read("chapters/ch02-two-more/src/main.rs"),
        MAIN.replace("ch00_sum", "ch02_two_more")
    );
    let manifest = read("chapters/ch02-two-more/Cargo.toml");
    assert!(manifest.starts_with("[package]\nname = \"ch02-two-more\"\n"), "{manifest}");
    assert!(manifest.contains("title = \"Two more\"\nbudget = 4\nways = "), "{manifest}");
    assert!(read("book/src/ch02/index.md").starts_with("# Chapter 2: Two more\n"));
    let summary = read("book/src/SUMMARY.md");
    let expected = SUMMARY.replace("wrap.md)\n", "wrap.md)\n- [2. Two more](ch02/index.md)\n");
    assert_eq!(summary, expected);
    assert!(read("Cargo.lock").contains("name = \"ch02-two-more\""));
    let exercises = "chapters/ch02-two-more/exercises";
    assert!(read(&format!("{exercises}/src/lib.rs")).contains("no exercises yet"));
    assert!(read(&format!("{exercises}/Cargo.toml")).contains("name = \"ch02-exercises\""));

    let repository = Repository::open(small.root()).expect("the course can be read");
    let claims =
        Claims::tell(&repository, &Book::load(&repository).expect("the book can be read"));
    assert_eq!(claims.diff("ch02").map(|diff| diff.hunks()), Some(Vec::new()));
    let again =
        new::make(&repository, "ch02-two-more", None).expect_err("it is there").to_string();
    assert!(again.contains("is there already"), "{again}");
}

/// The small course with a file more in its last chapter, and a chapter on top of that one, just made.
fn on_a_base() -> Small {
    let small = Small::new();
    let chapter = "chapters/ch01-wrap";
    small.change(&format!("{chapter}/Cargo.toml"), "budget = 4", "budget = 30");
    small.append(&format!("{chapter}/src/lib.rs"), "\npub mod twice;\n");
    small.write(
        &format!("{chapter}/src/twice.rs"),
        "pub fn twice(a: u32) -> u32 {\n    crate::add(a, a)\n}\n\npub fn thrice(a: u32) -> u32 {\n    crate::add(twice(a), a)\n}\n",
    );
    let page = "Twice is a file of its own.\n\n{{#include ../generated/ch01/lib.rs/mod-twice.md}}\n\nIt calls what we have.\n\n{{#include ../generated/ch01/twice.rs.md}}\n\nA sum";
    small.change("book/src/ch01/wrap.md", "A sum", page);
    let repository = Repository::open(small.root()).expect("the course can be read");
    new::make(&repository, "ch02-top", Some("ch01")).expect("made");
    small
}

#[test]
fn a_chapter_on_a_base_is_made_whole_and_without_a_fault() {
    let small = on_a_base();
    assert_eq!(small.faults(), Vec::<String>::new());
    let read = |file: &str| fs::read_to_string(small.path(file)).expect(file);
    assert_eq!(
        read("chapters/ch02-top/src/lib.rs"),
        "//! Chapter 2: Top.\n\nuse ch01_wrap as base;\n\npub use base::{add, show, twice};\n"
    );
    assert_eq!(read("chapters/ch02-top/src/main.rs"), MAIN.replace("ch00_sum", "ch02_top"));
    assert!(!small.path("chapters/ch02-top/src/twice.rs").exists());
    let manifest = read("chapters/ch02-top/Cargo.toml");
    assert!(
        manifest.contains("\n[dependencies]\nch01-wrap.path = \"../ch01-wrap\"\n"),
        "{manifest}"
    );
    assert!(manifest.contains("\nbase = \"ch01\"\n"), "{manifest}");
    let repository = Repository::open(small.root()).expect("the course can be read");
    assert_eq!(
        checkpoints::compile(&repository, Some("ch02")).expect("cargo runs"),
        Vec::new()
    );
    let refused =
        new::make(&repository, "ch03-more", Some("ch04")).expect_err("no such chapter");
    assert!(refused.to_string().contains("no chapter 'ch04' for another one"), "{refused}");
    // And one on top of that one.
    new::make(&repository, "ch03-more", Some("ch02")).expect("made");
    assert_eq!(small.faults(), Vec::<String>::new());
    assert_eq!(
        read("chapters/ch03-more/src/lib.rs"),
        "//! Chapter 3: More.\n\nuse ch02_top as base;\n\npub use base::{add, show, twice};\n"
    );
    let repository = Repository::open(small.root()).expect("the course can be read");
    assert_eq!(
        checkpoints::compile(&repository, Some("ch03")).expect("cargo runs"),
        Vec::new()
    );
}

#[test]
fn of_a_chapter_on_a_base_every_line_of_its_own_is_shown_and_none_of_the_bases() {
    let small = on_a_base();
    let own = "chapters/ch02-top/src/twice.rs";
    let theirs =
        fs::read_to_string(small.path("chapters/ch01-wrap/src/twice.rs")).expect("read");
    small.write(own, &theirs);
    small.finds(own, "is as ch01-wrap has it: remove it here");
    // Unless it names a module that is another one here.
    let named = theirs.replace("crate::add(", "crate::sums::add(");
    for chapter in ["ch01-wrap", "ch02-top"] {
        small.write(&format!("chapters/{chapter}/src/twice.rs"), &named);
    }
    small.finds(own, "is as ch01-wrap has it: remove it here");
    small.write("chapters/ch02-top/src/sums.rs", "pub use crate::add;\n");
    let faults = small.faults();
    assert!(!faults.iter().any(|fault| fault.contains("is as ch01-wrap")), "{faults:?}");
    fs::remove_file(small.path("chapters/ch02-top/src/sums.rs")).expect("was there");
    small.write("chapters/ch01-wrap/src/twice.rs", &theirs);
    small.write(own, &theirs.replace("crate::add(a, a)", "a << 1"));
    small.finds(own, "is not compiled: expected `mod twice;` in src/lib.rs of this chapter");
    small.change("chapters/ch02-top/src/lib.rs", ", twice};\n", "};\n\npub mod twice;\n");
    small.change("book/src/ch02/index.md", "lib.rs.md", "lib.rs/head+use.md");
    small.finds(
        "chapters/ch02-top/src/lib.rs:7",
        "no page shows ch02/lib.rs/mod-twice (lines: 2 added, 0 removed)",
    );
    small.finds(
        &format!("{own}:1"),
        "no page shows ch02/twice.rs/fn-twice (lines: 1 added, 1 removed)",
    );

    let page = "lib.rs/head+use.md}}\n\nTwice is a shift here.\n\n{{#include ../generated/ch02/lib.rs/mod-twice.md}}\n\n{{#include ../generated/ch02/twice.rs.md}}\n\nAnd thrice is as it was.\n";
    small.change("book/src/ch02/index.md", "lib.rs/head+use.md}}\n", page);
    assert_eq!(small.faults(), Vec::<String>::new());
    let listing = small.made("ch02/twice.rs.md");
    assert!(listing.contains("in <code>fn twice</code>, replaces 1 line"), "{listing}");
    assert!(!listing.contains("thrice"), "{listing}");
    let repository = Repository::open(small.root()).expect("the course can be read");
    assert_eq!(
        checkpoints::compile(&repository, Some("ch02")).expect("cargo runs"),
        Vec::new()
    );

    // The next one copies it, and changes nothing.
    new::make(&repository, "ch03-more", None).expect("made");
    assert_eq!(small.faults(), Vec::<String>::new());
    let files = [own.replace("ch02-top", "ch03-more"), own.into()];
    let [copy, own] = files.map(|file| fs::read_to_string(small.path(&file)).expect("read"));
    assert_eq!(copy, own);
    assert!(!small.path("chapters/ch03-more/steps").exists());
    // What it has no file of is shown again from where it is.
    let again = "\n{{#include ../generated/again/ch03/main.rs.md}}\n\n{{#include ../generated/again/ch03/show.rs.md}}\n";
    small.append("book/src/ch03/index.md", again);
    small.finds("book/src/ch03/index.md:7", "ch03 has no such file");
}

#[test]
fn a_step_of_a_chapter_on_a_base_is_told_against_the_base() {
    let small = on_a_base();
    let theirs =
        fs::read_to_string(small.path("chapters/ch01-wrap/src/twice.rs")).expect("read");
    let step = "chapters/ch02-top/steps/01-shift/src/twice.rs";
    small.write(step, &theirs.replace("crate::add(a, a)", "a << 1"));
    small.write(
        "chapters/ch02-top/src/twice.rs",
        &theirs.replace("crate::add(a, a)", "a << 1 | 0"),
    );
    small.change("chapters/ch02-top/src/lib.rs", ", twice};\n", "};\n\npub mod twice;\n");
    let repository = Repository::open(small.root()).expect("the course can be read");
    let claims =
        Claims::tell(&repository, &Book::load(&repository).expect("the book can be read"));
    let hunks = |short: &str| -> Vec<(String, usize, usize)> {
        let diff = claims.diff(short).expect(short);
        diff.hunks().into_iter().map(|hunk| (hunk.name, hunk.added, hunk.removed)).collect()
    };
    assert_eq!(hunks("ch02-shift"), [("ch02-shift/twice.rs/fn-twice".to_string(), 1, 1)]);
    assert!(hunks("ch02").contains(&("ch02/twice.rs/fn-twice".to_string(), 1, 1)));
    small.write(step, &theirs);
    small.finds(step, "is as the state before it left it");
}

#[test]
fn a_base_that_is_not_there_or_comes_later() {
    let small = on_a_base();
    let manifest = "chapters/ch02-top/Cargo.toml";
    for wrong in ["ch02", "ch03", "ch07"] {
        small.change(manifest, "base = \"", &format!("base = \"{wrong}\" # \""));
        let error = Repository::open(small.root()).expect_err(wrong).to_string();
        assert!(
            error.contains("Cargo.toml: base = ") && error.contains("earlier chapter"),
            "{error}"
        );
    }
}

#[test]
fn the_readme_tells_the_chapters_that_say_what_they_are() {
    let small = Small::new();
    let says = "budget = 4\nbuilds = \"a sum\"\nflight = \"Fast\"\nmoves = \"{{= add.json#/before / 2 | 1}} ms\"";
    small.change("chapters/ch01-wrap/Cargo.toml", "budget = 4", says);
    small.write(
        "CHANGELOG.md",
        "# What changed\n\n## The engine so far\n\n- Chapter 1: sums.\n",
    );
    let road = "{\"figures\": {\"ch01\": {\"decode\": 0.02}}}\n";
    small.write("book/measurements/ch14-road.json", road);
    small.finds("README.md:6", "not as it should be now");
    small.finds("book/staircase-dark.svg:1", "not as it should be now");
    small.write_readme();
    assert_eq!(small.faults(), Vec::<String>::new());
    let readme = fs::read_to_string(small.path("README.md")).expect("the README");
    assert!(
        readme.contains("| | **Fast** | |\n| [1](chapters/ch01-wrap) | a sum | 12.6 ms |\n<!-- /chapters -->\n\nMore.\n"),
        "{readme}"
    );
    let picture = fs::read_to_string(small.path("book/staircase-dark.svg")).expect("a picture");
    assert!(picture.contains(">0.0200</text>") && picture.contains(">1 token in 50 s</text>"));
    small.write("book/measurements/ch14-road.json", &road.replace("0.02", "0.04"));
    small.finds("book/staircase-light.svg", "not as it should be now");
    small.change("chapters/ch01-wrap/Cargo.toml", "#/before", "#/after");
    small.finds("README.md", "ch01-wrap: book/measurements/add.json has nothing at /after");
}

#[test]
fn a_chapter_that_the_changelog_lacks() {
    let small = Small::new();
    let log = "# What changed\n\n- Chapter 1: not here.\n\n## The engine so far\n\n- Chapter 1: sums.\n";
    small.write("CHANGELOG.md", log);
    small.finds("CHANGELOG.md", "has chapters [\"1\"], and those that are told are []");
    let says = "budget = 4\nbuilds = \"a sum\"\nmoves = \"none\"";
    small.change("chapters/ch01-wrap/Cargo.toml", "budget = 4", says);
    small.write_readme();
    assert_eq!(small.faults(), Vec::<String>::new());
    small.change("CHANGELOG.md", "- Chapter 1: sums.", "");
    small.finds("CHANGELOG.md", "has chapters [], and those that are told are [\"1\"]");
}

#[test]
fn a_name_of_ours_that_no_code_has() {
    let small = Small::new();
    let table = "# Names\n\n| here | elsewhere |\n|---|---|\n| `add`, `fmt::Result` | `sum` |\n\n| there |\n|---|\n| `sum` |\n";
    small.write("book/src/names.md", table);
    small.append("book/src/SUMMARY.md", "- [Names](names.md)\n");
    small.write_readme();
    assert_eq!(small.faults(), Vec::<String>::new());
    small.change("book/src/names.md", "`add`", "`add_up`");
    small.finds("book/src/names.md:5", "no chapter's code has the name add_up");
}

#[test]
fn a_checkpoint_that_does_not_compile() {
    let small = Small::new();
    let repository = Repository::open(small.root()).expect("the course can be read");
    assert_eq!(checkpoints::compile(&repository, None).expect("cargo runs"), Vec::new());

    // The program is shown first, and calls what is not there yet.
    let point = "{{#include ../generated/checkpoint.md}}\n\nTwo numbers";
    small.change("book/src/ch00/add.md", "Two numbers", &format!("The program comes first in this book.\n\n{{{{#include ../generated/ch00/main.rs.md}}}}\n\n{point}"));
    let faults = checkpoints::compile(&repository, None).expect("cargo runs");
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert_eq!(faults[0].place, "book/src/ch00/add.md:11");
    assert!(faults[0].message.contains("ch00_sum"), "{}", faults[0].message);
}

#[test]
fn an_example_that_does_not_compile_where_a_page_runs_it() {
    let small = Small::new();
    let example = |call: &str| {
        let text = format!("fn main() {{\n    ch01_wrap::{call}(1, 2);\n}}\n");
        small.write("chapters/ch01-wrap/examples/sums.rs", &text);
        let repository = Repository::open(small.root()).expect("the course can be read");
        checkpoints::compile(&repository, None).expect("cargo runs")
    };
    small.append("book/src/ch01/wrap.md", "\nTry `cargo run --example sums` on yours.\n");
    assert_eq!(example("add"), Vec::new());
    let faults = example("multiply");
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(faults[0].message.contains("multiply"), "{}", faults[0].message);
}

#[test]
fn a_checkpoint_is_tried_again_when_what_it_compiles_against_has_changed() {
    let small = Small::new();
    let passed = || {
        let repository = Repository::open(small.root()).expect("the course can be read");
        assert_eq!(checkpoints::compile(&repository, None).expect("cargo runs"), Vec::new());
        let passed = fs::read_dir(small.path("target/checkpoints/passed"));
        passed.expect("what has passed").count()
    };
    assert_eq!((passed(), passed()), (2, 2));
    small.append("src/ground/src/file.rs", "\npub fn close() {}\n");
    assert_eq!(passed(), 4);
    small.write("src/terminal/src/lib.rs", "pub fn asks() {}\n");
    assert_eq!((passed(), passed()), (6, 6));
}

#[test]
fn cargo_warns_about_nothing_at_a_checkpoint() {
    let small = Small::new();
    // Of the tools, which are not there.
    small.append("Cargo.toml", "\n[profile.dev.package.nothing]\nopt-level = 2\n");
    let repository = Repository::open(small.root()).expect("the course can be read");
    assert_eq!(checkpoints::compile(&repository, None).expect("cargo runs"), Vec::new());
    small.change("Cargo.toml", "resolver = \"3\"\n", "");
    let faults = checkpoints::compile(&repository, None).expect("cargo runs");
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(faults[0].message.starts_with("warning: virtual workspace"), "{faults:?}");
}

#[test]
fn a_built_book_that_loads_from_another_host() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write =
        |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("written");
    write(
        "a.html",
        "<p id=\"here\"><a href=\"https://example.org\">fine</a> <a href=\"b.html#there\">fine</a></p>\n",
    );
    write("b.html", "<p id=\"there\"><img src=\"x.png\"> <a href=\"#there\">fine</a></p>\n");
    write("a.css", "p { background: url(x.png) }\n");
    assert_eq!(proofread::built_html(folder.path()).expect("read"), Vec::new());

    write("a.html", "<p>\n<script src=\"https://example.org/x.js\"></script></p>\n");
    write(
        "a.css",
        "p {}\n@import \"//example.org/x.css\";\np { background: url('https://example.org/x.png') }\n",
    );
    write(
        "b.html",
        "<p><math><merror></merror></math> <a href=\"c.html\">c</a> <a href=\"a.html#nowhere\">d</a></p>\n",
    );
    let faults: Vec<String> = proofread::built_html(folder.path())
        .expect("read")
        .iter()
        .map(|f| f.to_string())
        .collect();
    let found = |start: &str, part: &str| {
        assert!(
            faults.iter().any(|f| f.starts_with(start) && f.contains(part)),
            "{part}: {faults:#?}"
        )
    };
    found("a.html:2", "<script> loads");
    found("a.css:2", "another host");
    found("a.css:3", "another host");
    found("b.html:1", "formula failed");
    found("b.html", "'c.html' leads nowhere");
    found("b.html", "'a.html#nowhere'");
}

#[test]
fn a_listing_says_where_its_code_goes() {
    let small = Small::new();
    let heading = |name: &str| {
        let text = small.made(name);
        text.lines().nth(1).unwrap_or_default().to_string()
    };
    let says =
        |name: &str, part: &str| assert!(heading(name).contains(part), "{}", heading(name));
    says("ch00/Cargo.toml.md", ">Cargo.toml</a> <span>new file<");
    says("ch00/Cargo.toml.md", "title=\"chapters/ch00-sum/Cargo.toml, the whole file\"");
    says(
        "ch00/lib.rs/head+use+fn-add.md",
        "new file, begins with the head of the file, the imports, <code>fn add</code>",
    );
    says("ch00/lib.rs/fn-show.md", "new: <code>fn show</code>, after <code>fn add</code>");
    says("ch01/lib.rs/fn-add.md", "../generated/whole/ch01.html#src-lib-rs");
    says("ch01/lib.rs/fn-add.md", "in <code>fn add</code>, replaces 1 line");
}

#[test]
fn a_whole_page_prints_what_its_chapter_changed_and_links_the_rest() {
    let small = Small::new();
    let text = small.made("whole/ch01.md");
    let library =
        fs::read_to_string(small.path("chapters/ch01-wrap/src/lib.rs")).expect("read");
    let printed = format!("## lib.rs {{#src-lib-rs}}\n\n```rust\n{library}```\n");
    assert!(text.contains(&printed) && !text.contains("## main.rs"), "{text}");
    let first = small.made("whole/ch00.md");
    // Without what it says to tools.
    let manifest = "edition.workspace = true\n\n[dependencies]\n```\n";
    assert!(first.contains(manifest), "{first}");
    assert!(
        text.contains(
            "- `ch00-sum`: [Cargo.toml](ch00.md#cargo-toml), [main.rs](ch00.md#src-main-rs)\n"
        ),
        "{text}"
    );

    // Shown again, a file that the chapter leaves as it was is linked where it is printed.
    let again = "\n{{#include ../generated/again/ch01/main.rs.md}}\n";
    small.append("book/src/ch01/wrap.md", again);
    assert_eq!(small.faults(), Vec::<String>::new());
    let listing = small.made("again/ch01/main.rs.md");
    assert!(listing.contains("../generated/whole/ch00.html#src-main-rs"), "{listing}");
}

#[test]
fn code_shown_again_is_no_claim() {
    let small = Small::new();
    let page = "book/src/ch01/wrap.md";
    small.append(page, "\n{{#include ../generated/again/ch00/lib.rs/fn-add.md}}\n");
    assert_eq!(small.faults(), Vec::<String>::new());
}

/// The wrapping chapter comes to its end in two pages: `a + b`, then `b.wrapping_add(a)`, then as it is.
#[test]
fn a_step_is_told_against_the_state_before_it() {
    let small = Small::new();
    let step = "chapters/ch01-wrap/steps/01-turn/src/lib.rs";
    small.write(step, &OLD_CODE.replace("a + b", "b.wrapping_add(a)"));
    small.finds("chapters/ch01-wrap/src/lib.rs:5", "no page shows ch01-turn/lib.rs/fn-add");
    let page = "A step turns the two numbers round first.\n\n{{#include ../generated/ch01-turn/lib.rs/fn-add.md}}\n\n{{#include ../generated/checkpoint.md}}\n\nAnd then back again";
    small.change("book/src/ch01/wrap.md", "A sum that is too large", page);
    assert_eq!(small.faults(), Vec::<String>::new());
    let shown = |name: &str| small.made(&format!("{name}/lib.rs/fn-add.md"));
    assert!(
        shown("ch01-turn").contains("wrapping_add") && shown("ch01").contains("wrapping_add")
    );
    assert!(shown("ch01-turn").contains("a + b") && !shown("ch01").contains("a + b"));

    small.write(step, OLD_CODE);
    small.finds(step, "is as the state before it left it");
    let change = format!("{step}.diff");
    small.write(&change, "");
    let error = Repository::open(small.root()).expect_err("two of a file").to_string();
    assert!(error.contains("lib.rs.diff: the file is there whole as well"), "{error}");
    fs::remove_file(small.path(step)).expect("was there");
    small.finds(&change, "is as the state before it left it");
    fs::remove_file(small.path(&change)).expect("was there");

    // What the chapter leaves as it is here is named, not copied.
    let end = fs::read_to_string(small.path("chapters/ch01-wrap/src/lib.rs")).expect("read");
    small.write(step, &end);
    small.finds(step, "is as its chapter leaves it: name it in as-in-src instead");
    fs::remove_file(small.path(step)).expect("was there");
    let list = "chapters/ch01-wrap/steps/as-in-src";
    small.write(list, "01-turn/src/lib.rs\n");
    let repository = Repository::open(small.root()).expect("the course can be read");
    let turn = repository.chapter("ch01-turn").expect("a step");
    assert_eq!(turn.files["src/lib.rs"], end);
    small.write(list, "01-turn/src/lib.rs\n01-turn/src/main.rs\n");
    small.finds(list, "01-turn/src/main.rs is as the state before it left it: remove the line");
    small.write(list, "01-turn/src/none.rs\n");
    let error = Repository::open(small.root()).expect_err("no such file").to_string();
    assert!(error.contains("the chapter has no file 'src/none.rs'"), "{error}");
    small.write(list, "01-turn/src/lib.rs\n");
    small.write("chapters/ch01-wrap/steps/stray.rs", "");
    assert!(
        Repository::open(small.root())
            .is_err_and(|error| error.to_string().contains("steps/NN-name"))
    );
}

#[test]
fn mdbook_gets_its_book_back_with_all_that_pages_include() {
    let small = Small::new();
    let book = small.preprocessed("0.5.4").expect("a book");
    assert!(!book.to_string().contains("{{#"), "{book}");
    let items = book["items"].as_array().expect("items");
    let add = &items[2]["Chapter"];
    assert!(add["content"].as_str().is_some_and(|text| text.contains("<ins>")), "{add}");
    let wrap = &add["sub_items"][0]["Chapter"]["content"];
    assert!(wrap.as_str().is_some_and(|text| text.contains("<math")), "{wrap}");
    assert_eq!(items[4], json!({"PartTitle": "Whole files"}));
    let whole = &items[6]["Chapter"];
    assert_eq!(
        (&whole["name"], &whole["path"], &whole["number"]),
        (&json!("ch00-sum"), &json!("generated/whole/ch00.md"), &json!([3]))
    );
    let read = |file: &str| fs::read_to_string(small.path(file)).expect(file);
    assert_eq!(read("book/src/engine/tiny-qwen3.gguf"), "a model");
    assert!(read("book/theme/header.hbs").contains("(eq path \"generated/whole/ch01.md\")"));
    assert!(!small.path("book/src/generated").exists());
}

#[test]
fn a_book_that_would_not_be_whole_is_not_built() {
    let small = Small::new();
    for version in ["0.4.52", "0.5.5", "unknown"] {
        let refused = small.preprocessed(version).expect_err(version);
        let expected =
            format!("made for mdBook 0.5.4, and this is {version}: `cargo install mdbook");
        assert!(refused.contains(&expected) && !refused.contains('\n'), "{refused}");
    }
    let page = "book/src/ch01/wrap.md";
    small.change(page, "formulas/sum.md", "formulas/product.md");
    small.append(page, "\n{{#include ../nowhere.svg}}\n");
    let refused = small.preprocessed("0.5.4").expect_err("two includes that lead nowhere");
    let line = |line: usize, target: &str| {
        let said = format!("{page}:{line}: the include '{target}' leads to no file\n");
        assert!(refused.contains(&said), "{refused}");
    };
    line(10, "../generated/formulas/product.md");
    line(26, "../nowhere.svg");
    small.change(page, "lib.rs/fn-add.md", "lib.rs/fn-none.md");
    let refused = small.preprocessed("0.5.4").expect_err("no such hunk");
    assert!(refused.contains(&format!("{page}:6: 'ch01/lib.rs/fn-none' names no hunk")));
    assert!(!small.path("book/theme/header.hbs").exists());
    let error = preprocess::book(small.root(), "", None).expect_err("no book").to_string();
    assert!(error.contains("mdBook runs this with its book"), "{error}");
}

#[test]
fn what_was_made_is_made_again_when_its_sources_change() {
    let small = Small::new();
    let memory = small.path("target/made.json");
    fs::create_dir(small.path("target")).expect("a folder");
    let source = r#"{"Chapter": {"path": "ch01/wrap.md", "content": "{{#include ../generated/ch01/lib.rs/fn-add.md}}"}}"#;
    let input = format!(r#"[{{"mdbook_version": "0.5.4"}}, {{"items": [{source}]}}]"#);
    let listing = || {
        let book = preprocess::book(small.root(), &input, Some(&memory)).expect("it runs");
        book.expect("a book")["items"][0]["Chapter"]["content"].to_string()
    };
    let before = listing();
    let kept = fs::metadata(&memory).expect("kept").modified().expect("a time");
    small.change("book/src/ch01/wrap.md", "too large", "much too large");
    assert_eq!(listing(), before);
    assert_eq!(fs::metadata(&memory).expect("kept").modified().expect("a time"), kept);
    small.change("chapters/ch01-wrap/src/lib.rs", "wrapping_add", "saturating_add");
    assert!(listing().contains("saturating_add") && !before.contains("saturating_add"));
    let kept = fs::read(&memory).expect("kept");
    small.change("book/src/SUMMARY.md", "- [Adding]", "# A part\n\n- [Adding]");
    assert!(listing().contains("saturating_add") && fs::read(&memory).expect("kept") != kept);
    fs::write(&memory, "nothing").expect("written");
    assert!(listing().contains("saturating_add"));
}
