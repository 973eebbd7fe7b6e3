//! A fix in an early chapter travels to the later ones; where they disagree, a person is asked.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use bookmaker::carry::{Report, carry};
use bookmaker::fold::{fold, unfold};
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
    commit(root);
    folder
}

fn commit(root: &Path) {
    git(root, &["add", "."]);
    git(root, &["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "all"]);
}

fn states(root: &Path) -> BTreeMap<String, BTreeMap<String, String>> {
    let repository = Repository::open(root).expect("the course can be read");
    repository.states().map(|state| (state.short.clone(), state.files.clone())).collect()
}

fn change(root: &Path, file: &str, from: &str, to: &str) {
    let text = read(root, file);
    assert!(text.contains(from), "{file} holds no {from:?}");
    write(root, file, &text.replace(from, to));
}

fn carried(root: &Path, from: &str) -> Report {
    carry(root, from, "HEAD").expect("git runs")
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
    let error = carry(folder.path(), "ch09", "HEAD").expect_err("there is no such chapter");
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
    let text = &states(root)["ch01-less"]["src/lib.rs"];
    assert!(text.contains("wrapping_add") && text.contains("3 - 1"), "{text}");
    assert!(!root.join(step("02-more")).exists());
}

#[test]
fn a_step_that_has_a_file_as_the_chapter_leaves_it_needs_no_copy() {
    let folder = committed();
    let root = folder.path();
    write(root, "chapters/ch01-two/steps/as-in-src", "01-all/src/lib.rs\n");
    change(root, "chapters/ch00-sum/src/lib.rs", "a + b", "a.wrapping_add(b)");
    let report = carried(root, "ch00");
    assert_eq!((report.conflicts, report.lines.len()), (0, 2), "{report:?}");
    assert!(!root.join("chapters/ch01-two/steps/01-all/src").exists());
    assert!(states(root)["ch01-all"]["src/lib.rs"].contains("wrapping_add"));
}

/// What is carried, and all states after it, are the same whether the steps have whole files or changes.
#[track_caller]
fn in_both_forms(act: impl Fn(&Path) -> String) -> String {
    let [whole, folded] = [false, true].map(|is_folded| {
        let folder = committed();
        let root = folder.path();
        for (step, name, two) in [
            ("ch01-two/steps/01-less", "ch01_two", "3 - 1"),
            ("ch01-two/steps/02-more", "ch01_two", "4 - 2"),
            ("ch02-end/steps/01-half", "ch02_end", "4 / 2"),
        ] {
            let lib = LIB.replace("    2\n", &format!("    {two}\n")).replace("ch00_sum", name);
            write(root, &format!("chapters/{step}/src/lib.rs"), &lib);
        }
        if is_folded {
            let whole = states(root);
            let folded = fold(root, &BTreeSet::new()).expect("it fits");
            assert_eq!((folded.len(), folded[0].as_str()), (3, &*format!("{LESS}.diff")));
            assert_eq!((states(root), root.join(LESS).exists()), (whole, false));
        }
        commit(root);
        (act(root), states(root))
    });
    assert_eq!(whole, folded);
    whole.0
}

const LESS: &str = "chapters/ch01-two/steps/01-less/src/lib.rs";

#[test]
fn a_change_is_carried_as_the_whole_file_is() {
    let carried = |root: &Path, from: &str| carried(root, from).lines.join("\n");
    let first = "chapters/ch00-sum/src/lib.rs";
    // Away from what the steps change.
    let done = in_both_forms(|root| {
        change(root, first, "a + b", "a.wrapping_add(b)");
        carried(root, "ch00")
    });
    assert_eq!(done.matches("carried ").count(), 5, "{done}");
    // Beside it, where no change fits any more: a person settles the first.
    let done = in_both_forms(|root| {
        change(root, first, "two() -> u32", "two() -> u64");
        let begun = carried(root, "ch00");
        let text = LIB.replace("    2\n", "    3 - 1\n").replace("ch00_sum", "ch01_two");
        write(root, LESS, &text.replace("two() -> u32", "two() -> u64"));
        begun + &carried(root, "ch01-less")
    });
    assert!(done.contains("`carry ch01-less`") && done.contains("`carry ch01-more`"), "{done}");
    // In a step, while another edit waits.
    let done = in_both_forms(|root| {
        let repository = Repository::open(root).expect("the course can be read");
        let less = repository.states().filter(|state| state.short == "ch01-less");
        unfold(root, less).expect("files can be written");
        change(root, LESS, "Sums", "Some sums");
        change(root, "chapters/ch01-two/src/lib.rs", "two() -> u32", "two() -> u64");
        carried(root, "ch01-less") + &carried(root, "ch01")
    });
    let count = |what| done.matches(what).count();
    assert_eq!((count("carried "), count("CONFLICT")), (4, 1), "{done}");
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
    commit(root);
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
