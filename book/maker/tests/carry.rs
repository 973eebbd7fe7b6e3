//! A fix in an early chapter travels to the later ones; where they disagree, a person is asked.

use std::fs;
use std::path::Path;

use bookmaker::carry::{Report, carry};
use bookmaker::repository::Repository;
use under_git::{SETTINGS, about, git, read, write};

mod under_git;

const LIB: &str = "//! Sums.\n\npub fn add(a: u32, b: u32) -> u32 {\n    a + b\n}\n\npub fn two() -> u32 {\n    2\n}\n\npub fn name() -> &'static str {\n    \"ch00_sum\"\n}\n";

/// Three chapters, committed: the second changes `two`, the third has no `extra.rs`.
fn committed() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path();
    write(root, "book/course.json", SETTINGS);
    for (package, name) in
        [("ch00-sum", "ch00_sum"), ("ch01-two", "ch01_two"), ("ch02-end", "ch02_end")]
    {
        let two = if package == "ch00-sum" { "2" } else { "1 + 1" };
        let lib = LIB.replace("    2\n", &format!("    {two}\n")).replace("ch00_sum", name);
        write(
            root,
            &format!("chapters/{package}/Cargo.toml"),
            &format!("[package]\nname = \"{package}\"\n{}", about(package)),
        );
        write(root, &format!("chapters/{package}/src/lib.rs"), &lib);
        if package != "ch02-end" {
            write(root, &format!("chapters/{package}/src/extra.rs"), "pub fn extra() {}\n");
        }
    }
    git(root, &["init", "-q"]);
    git(root, &["add", "."]);
    git(root, &["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "all"]);
    folder
}

fn change(root: &Path, file: &str, from: &str, to: &str) {
    let text = read(root, file);
    assert!(text.contains(from), "{file} holds no {from:?}");
    write(root, file, &text.replace(from, to));
}

fn carried(root: &Path, from: &str) -> Report {
    let repository = Repository::open(root).expect("the course can be read");
    carry(&repository, from, "HEAD").expect("git runs")
}

#[test]
fn a_fix_reaches_every_later_chapter_and_leaves_their_own_changes() {
    let folder = committed();
    let root = folder.path();
    change(root, "chapters/ch00-sum/src/lib.rs", "a + b", "a.wrapping_add(b)");
    let report = carried(root, "ch00");
    assert_eq!((report.conflicts, report.lines.len()), (0, 2), "{report:?}");
    for (package, name) in [("ch01-two", "ch01_two"), ("ch02-end", "ch02_end")] {
        let lib = read(root, &format!("chapters/{package}/src/lib.rs"));
        assert!(
            lib.contains("a.wrapping_add(b)") && lib.contains("1 + 1") && lib.contains(name),
            "{lib}"
        );
    }
}

#[test]
fn a_conflict_stays_in_the_file_and_stops_there() {
    let folder = committed();
    let root = folder.path();
    change(root, "chapters/ch00-sum/src/lib.rs", "    2\n", "    3\n");
    let report = carried(root, "ch00-sum");
    assert_eq!(report.conflicts, 1, "{report:?}");
    assert!(
        report.lines[0].starts_with("CONFLICT") && report.lines[0].contains("carry ch01"),
        "{report:?}"
    );
    let lib = read(root, "chapters/ch01-two/src/lib.rs");
    assert!(
        lib.contains("<<<<<<< later chapter")
            && lib.contains("1 + 1")
            && lib.contains("    3\n"),
        "{lib}"
    );
    assert!(!read(root, "chapters/ch02-end/src/lib.rs").contains("<<<"));

    // Settled by hand, it goes on from there.
    write(
        root,
        "chapters/ch01-two/src/lib.rs",
        &LIB.replace("    2\n", "    1 + 2\n").replace("ch00_sum", "ch01_two"),
    );
    let report = carried(root, "ch01");
    assert_eq!(report.conflicts, 0, "{report:?}");
    assert!(read(root, "chapters/ch02-end/src/lib.rs").contains("    1 + 2\n"));
}

#[test]
fn files_come_and_go() {
    let folder = committed();
    let root = folder.path();
    write(root, "chapters/ch00-sum/src/new.rs", "use ch00_sum::add;\n");
    fs::remove_file(root.join("chapters/ch00-sum/src/extra.rs")).expect("was there");
    let report = carried(root, "ch00");
    assert_eq!(report.conflicts, 0, "{report:?}");
    assert_eq!(read(root, "chapters/ch02-end/src/new.rs"), "use ch02_end::add;\n");
    assert!(!root.join("chapters/ch01-two/src/extra.rs").exists());
}

#[test]
fn what_a_manifest_says_to_tools_is_not_carried() {
    let folder = committed();
    let root = folder.path();
    let manifest = |package: &str| format!("chapters/{package}/Cargo.toml");
    change(root, &manifest("ch00-sum"), "budget = 9", "budget = 10");
    assert!(carried(root, "ch00").lines[0].contains("nothing to carry"));
    change(root, &manifest("ch00-sum"), "[package]\n", "[package]\npublish = false\n");
    let report = carried(root, "ch00");
    assert_eq!((report.conflicts, report.lines.len()), (0, 2), "{report:?}");
    for package in ["ch01-two", "ch02-end"] {
        let expected =
            format!("[package]\npublish = false\nname = \"{package}\"\n{}", about(package));
        assert_eq!(read(root, &manifest(package)), expected);
    }
}

#[test]
fn nothing_changed_is_said_so_and_an_unknown_chapter_is_an_error() {
    let folder = committed();
    let report = carried(folder.path(), "ch01");
    assert!(report.lines[0].contains("nothing to carry"), "{report:?}");
    let repository = Repository::open(folder.path()).expect("the course can be read");
    let error = carry(&repository, "ch09", "HEAD").expect_err("there is no such chapter");
    assert!(error.to_string().contains("there are: ch00, ch01, ch02"), "{error}");
}

#[test]
fn a_fix_goes_through_the_steps_that_have_a_file_of_their_own() {
    let folder = committed();
    let root = folder.path();
    let step = |name: &str| format!("chapters/ch01-two/steps/{name}/src/lib.rs");
    let own = LIB.replace("ch00_sum", "ch01_two").replace("    2\n", "    3 - 1\n");
    write(root, &step("01-less"), &own);
    write(
        root,
        "chapters/ch01-two/steps/02-more/src/extra.rs",
        "pub fn extra() -> u8 {\n    1\n}\n",
    );
    change(root, "chapters/ch00-sum/src/lib.rs", "a + b", "a.wrapping_add(b)");
    let report = carried(root, "ch00");
    assert_eq!((report.conflicts, report.lines.len()), (0, 3), "{report:?}");
    let text = read(root, &step("01-less"));
    assert!(text.contains("wrapping_add") && text.contains("3 - 1"), "{text}");
    assert!(!root.join(step("02-more")).exists());
}

#[test]
fn a_step_that_has_a_file_as_the_chapter_leaves_it_needs_no_copy() {
    let folder = committed();
    let root = folder.path();
    write(root, "chapters/ch01-two/steps/01-all/as-in-src", "src/lib.rs\n");
    change(root, "chapters/ch00-sum/src/lib.rs", "a + b", "a.wrapping_add(b)");
    let report = carried(root, "ch00");
    assert_eq!((report.conflicts, report.lines.len()), (0, 2), "{report:?}");
    assert!(!root.join("chapters/ch01-two/steps/01-all/src").exists());
    let repository = Repository::open(root).expect("the course can be read");
    let step = repository.chapter("ch01-all").expect("a step");
    assert!(step.files["src/lib.rs"].contains("wrapping_add"), "{:?}", step.files);
}

const EXTRA: &str = "pub fn extra() {}\n\npub fn a() {}\n\npub fn b() {}\n";

/// Two chapters more, on top of the last: the first of them has a file of its own, the second has it too.
fn on_a_base() -> tempfile::TempDir {
    let folder = committed();
    let root = folder.path();
    for package in ["ch03-top", "ch04-more"] {
        let about = about(package) + "base = \"ch01\"\n";
        let manifest = format!(
            "[package]\nname = \"{package}\"\n\n[dependencies]\nch01-two.path = \"../ch01-two\"\n{about}"
        );
        write(root, &format!("chapters/{package}/Cargo.toml"), &manifest);
        let library = "//! Top.\n\npub use ch01_two::*;\n\npub mod extra;\n";
        write(root, &format!("chapters/{package}/src/lib.rs"), library);
        let extra = format!("{EXTRA}\npub fn more() {{}}\n");
        write(root, &format!("chapters/{package}/src/extra.rs"), &extra);
    }
    write(root, "chapters/ch01-two/src/extra.rs", EXTRA);
    write(root, "chapters/ch01-two/src/other.rs", "pub fn other() {}\n");
    git(root, &["add", "."]);
    git(root, &["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "more"]);
    folder
}

#[test]
fn a_fix_of_the_base_reaches_the_files_that_were_taken_from_it_and_no_others() {
    let folder = on_a_base();
    let root = folder.path();
    change(
        root,
        "chapters/ch01-two/src/extra.rs",
        "fn extra() {}",
        "fn extra() -> u8 {\n    1\n}",
    );
    change(root, "chapters/ch01-two/src/other.rs", "fn other() {}", "fn another() {}");
    change(root, "chapters/ch01-two/src/lib.rs", "a + b", "a.wrapping_add(b)");
    let report = carried(root, "ch01");
    assert_eq!(report.conflicts, 0, "{report:?}");
    for package in ["ch03-top", "ch04-more"] {
        let extra = read(root, &format!("chapters/{package}/src/extra.rs"));
        assert!(extra.contains("-> u8") && extra.contains("fn more()"), "{extra}");
        assert!(!root.join(format!("chapters/{package}/src/other.rs")).exists());
        let library = read(root, &format!("chapters/{package}/src/lib.rs"));
        assert!(library.starts_with("//! Top.\n\npub use ch01_two::*;\n"), "{library}");
    }
}

#[test]
fn a_file_newly_taken_from_the_base_is_given_to_the_chapters_after() {
    let folder = on_a_base();
    let root = folder.path();
    write(root, "chapters/ch03-top/src/other.rs", "pub fn other() {}\n\npub fn own() {}\n");
    change(
        root,
        "chapters/ch03-top/src/lib.rs",
        "pub mod extra;",
        "pub mod extra;\npub mod other;",
    );
    let report = carried(root, "ch03");
    assert_eq!((report.conflicts, report.lines.len()), (0, 2), "{report:?}");
    assert!(read(root, "chapters/ch04-more/src/other.rs").contains("fn own()"));
    let library = read(root, "chapters/ch04-more/src/lib.rs");
    assert!(library.ends_with("pub mod extra;\npub mod other;\n"), "{library}");
}
