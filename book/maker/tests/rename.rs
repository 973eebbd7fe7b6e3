//! A name becomes another one everywhere, from the chapter where it begins, and nothing else does.

use std::path::Path;

use bookmaker::rename::{Rename, Report, rename};
use bookmaker::repository::Repository;
use under_git::{SETTINGS, about, git, read, write};

mod under_git;

const ROOM: &str = r#"//! How much `Room` there is.

/// Blocks of a room.
pub struct Room {
    pub lent: usize,
}

impl Room {
    pub fn space(&self) -> usize {
        self.lent
    }

    pub fn twice(lent: usize) -> Room {
        Room { lent }
    }
}

pub struct Other {
    pub lent: usize,
}

impl Other {
    pub fn space(&self) -> usize {
        let lent = self.lent;
        println!("{lent} {{lent}} lent");
        lent
    }
}

pub fn space(lent: usize) -> usize {
    Room::twice(lent).space() + Vec::<u8>::space(lent)
}

impl Default for Room {
    fn default() -> Room {
        let _ = include_str!("room.rs");
        Room::twice(0)
    }
}
"#;

const LIB: &str = "pub mod room;\n\nuse crate::room::{Room, space};\n\npub fn all(room: Room) -> usize {\n    space(room.lent) + room.space()\n}\n";

const PAGE: &str = "# Room\n\nThe room: `Room`, `Room::space()`, `space`, in `src/room.rs`, and `lent`.\n\n{{#include ../generated/ch01/room.rs/struct-Room+impl-Room.md}}\n{{#include ../generated/ch01/room.rs/impl-Room/fn-space+fn-twice.md}}\n{{#include ../generated/again/ch00/room.rs.md}}\n{{#include ../generated/ch01-half/lib.rs/use/crate-room.md}}\n";

const FAULTS: &str = "# `Room` of src/room.rs\n[[\"src/room.rs\"]]\nname = \"Room's\"\nstands = '''\nRoom { lent }\n'''\nbecomes = \"say(\\\"Room\\\\n\\\");\\nRoom\"\nred = \"--test a Room\"\n";

/// Two chapters that are the same, the second after a step, and a page for both.
fn course() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path();
    write(root, "book/course.json", SETTINGS);
    for package in ["ch00-sum", "ch01-two"] {
        let manifest = format!("[package]\nname = \"{package}\"\n{}", about(package));
        let write = |file: &str, text: &str| {
            write(root, &format!("chapters/{package}/{file}"), text);
        };
        write("Cargo.toml", &manifest);
        write("src/lib.rs", LIB);
        write("src/room.rs", ROOM);
        write("faults.toml", FAULTS);
    }
    write(root, "chapters/ch01-two/steps/01-half/src/lib.rs", &format!("//! Half.\n\n{LIB}"));
    write(root, "chapters/ch01-two/steps/01-half/as-in-src", "src/room.rs\n");
    write(root, "book/src/ch01/index.md", PAGE);
    write(root, "src/ground/src/lib.rs", "pub struct Room;\n");
    git(root, &["init", "-q"]);
    folder
}

fn renamed(root: &Path, from: &str, old: &str, new: &str) -> Report {
    let asked = Rename::parse(old, new, Vec::new(), Vec::new(), false).expect("two names");
    rename(&Repository::open(root).expect("a course"), from, &asked, false).expect("git runs")
}

const ROOM_1: &str = "chapters/ch01-two/src/room.rs";
const PAGE_1: &str = "book/src/ch01/index.md";

#[test]
fn a_type_from_a_chapter_on() {
    let folder = course();
    let root = folder.path();
    let report = renamed(root, "ch01", "Room", "Pool");
    assert_eq!(report.changed.len(), 5, "{report}");
    assert_eq!(read(root, ROOM_1), ROOM.replace("Room", "Pool"));
    assert_eq!(read(root, "chapters/ch01-two/src/lib.rs"), LIB.replace("Room", "Pool"));
    assert_eq!(read(root, "chapters/ch00-sum/src/room.rs"), ROOM);
    assert_eq!(read(root, "src/ground/src/lib.rs"), "pub struct Room;\n");
    let page = read(root, PAGE_1);
    assert!(page.starts_with("# Room\n\nThe room: `Pool`, `Pool::space()`, `space`"), "{page}");
    assert!(page.contains("ch01/room.rs/struct-Pool+impl-Pool.md"), "{page}");
    assert!(page.contains("ch01/room.rs/impl-Pool/fn-space+fn-twice.md"), "{page}");
    let faults = FAULTS.replace("\nRoom {", "\nPool {").replace("\\nRoom", "\\nPool");
    assert_eq!(read(root, "chapters/ch01-two/faults.toml"), faults.replace("`Room`", "`Pool`"));
    // What is prose, a person reads.
    let prose = |line: &&String| line.contains("index.md:3: The room: ");
    assert_eq!(report.left.iter().filter(prose).count(), 1, "{report}");
}

#[test]
fn a_method_of_one_type() {
    let folder = course();
    let root = folder.path();
    let report = renamed(root, "ch01", "Room::space", "unused");
    let expected = ROOM.replacen("pub fn space(&self)", "pub fn unused(&self)", 1);
    assert_eq!(read(root, ROOM_1), expected);
    // Whose the method is, this cannot know.
    assert_eq!(read(root, "chapters/ch01-two/src/lib.rs"), LIB);
    assert!(
        report.left.iter().any(|line| line.contains("src/lib.rs:6: space(room")),
        "{report}"
    );
    let report = renamed(root, "ch01", ".space", "unused");
    assert!(
        read(root, ROOM_1).contains("Room::twice(lent).unused() + Vec::<u8>::space(lent)"),
        "{report}"
    );
    assert!(read(root, PAGE_1).contains("/impl-Room/fn-unused+fn-twice.md"));
}

#[test]
fn a_fault_is_where_its_file_is() {
    let folder = course();
    let root = folder.path();
    let asked = |inside: &str| {
        Rename::parse("Room", "Pool", vec![inside.into()], Vec::new(), false)
            .expect("two names")
    };
    let course = || Repository::open(root).expect("a course");
    let faults = "chapters/ch01-two/faults.toml";
    rename(&course(), "ch01", &asked("src/lib.rs"), false).expect("git runs");
    assert_eq!(read(root, faults), FAULTS);
    rename(&course(), "ch01", &asked("src/room.rs"), false).expect("git runs");
    assert!(read(root, faults).contains("Pool { lent }"));
}

#[test]
fn a_hunk_is_of_what_was_there_before_or_in_another_order() {
    let folder = course();
    let root = folder.path();
    // The step has no function any more that chapter 0 has, and the new name is in another place of the order.
    let lib = "pub mod other;\npub mod room;\npub mod sum;\n";
    write(root, "chapters/ch01-two/steps/01-half/src/lib.rs", lib);
    write(
        root,
        PAGE_1,
        "{{#include ../generated/ch01-half/lib.rs/fn-all+mod-room+mod-sum.md}}\n",
    );
    renamed(root, "ch00", "src/room.rs", "zoom.rs");
    renamed(root, "ch00", "all", "every");
    let page = read(root, PAGE_1);
    assert_eq!(
        page,
        "{{#include ../generated/ch01-half/lib.rs/fn-every+mod-zoom+mod-sum.md}}\n"
    );
}

#[test]
fn a_function_of_a_type_and_not_its_field() {
    let folder = course();
    let root = folder.path();
    let both = ROOM.replace(
        "pub fn twice",
        "pub fn lent(&self) -> usize {\n        self.lent\n    }\n\n    pub fn twice",
    );
    write(root, ROOM_1, &both);
    renamed(root, "ch01", "Room::lent()", "in_use");
    assert_eq!(read(root, ROOM_1), both.replace("fn lent(&self)", "fn in_use(&self)"));
}

#[test]
fn what_is_after_the_dot_of_one_name() {
    let folder = course();
    let root = folder.path();
    renamed(root, "ch01", "room.lent", "used");
    let lib = read(root, "chapters/ch01-two/src/lib.rs");
    assert_eq!(lib, LIB.replace("room.lent", "room.used"));
    assert_eq!(read(root, ROOM_1), ROOM);
}

#[test]
fn another_crate_has_a_module_of_that_name() {
    let folder = course();
    let root = folder.path();
    let other = "mod room;\n\npub use ground::{other::{room as a}, room};\nuse crate::room::Room;\nuse ground::room::Room as Other;\n";
    write(root, "src/course/lib.rs", other);
    write(root, "src/ground/room.rs", "pub struct Room;\n");
    renamed(root, "ground", "src/ground/room.rs", "pool.rs");
    let expected = other.replace("ground::room", "ground::pool").replace(" room}", " pool}");
    assert_eq!(read(root, "src/course/lib.rs"), expected);
    assert_eq!(read(root, "src/ground/pool.rs"), "pub struct Room;\n");
}

#[test]
fn a_field_of_one_type() {
    let folder = course();
    let root = folder.path();
    renamed(root, "ch01", "Room::lent", "used");
    let expected =
        ROOM.replacen("pub lent", "pub used", 1).replacen("self.lent", "self.used", 1);
    let expected = expected.replace("Room { lent }", "Room { used: lent }");
    assert_eq!(read(root, ROOM_1), expected);
}

#[test]
fn a_function_of_a_type_with_parameters() {
    let folder = course();
    let root = folder.path();
    renamed(root, "ch01", "Vec::space", "room");
    assert_eq!(read(root, ROOM_1), ROOM.replace("Vec::<u8>::space", "Vec::<u8>::room"));
}

#[test]
fn a_method_of_a_trait() {
    let folder = course();
    let root = folder.path();
    renamed(root, "ch01", "Default::default", "usual");
    assert_eq!(read(root, ROOM_1), ROOM.replace("fn default", "fn usual"));
}

#[test]
fn a_function_and_no_method() {
    let folder = course();
    let root = folder.path();
    renamed(root, "ch01", "fn space", "free");
    assert_eq!(read(root, ROOM_1), ROOM.replace("pub fn space(lent", "pub fn free(lent"));
    let lib = read(root, "chapters/ch01-two/src/lib.rs");
    let expected =
        LIB.replace("Room, space}", "Room, free}").replace("    space(", "    free(");
    assert_eq!(lib, expected);
}

#[test]
fn a_variable_that_a_format_captures() {
    let folder = course();
    let root = folder.path();
    renamed(root, "ch01", "lent", "used");
    let expected = ROOM.replace("lent", "used").replace("{{used}} used", "{{lent}} lent");
    assert_eq!(read(root, ROOM_1), expected);
}

#[test]
fn a_module_is_a_file() {
    let folder = course();
    let root = folder.path();
    let report = renamed(root, "ch00", "src/room.rs", "pool.rs");
    for chapter in ["ch00-sum", "ch01-two"] {
        assert!(!root.join(format!("chapters/{chapter}/src/room.rs")).exists(), "{report}");
        let moved = ROOM.replace("\"room.rs\"", "\"pool.rs\"");
        assert_eq!(read(root, &format!("chapters/{chapter}/src/pool.rs")), moved);
        let lib = read(root, &format!("chapters/{chapter}/src/lib.rs"));
        let expected =
            LIB.replace("mod room", "mod pool").replace("crate::room", "crate::pool");
        assert_eq!(lib, expected);
        let faults = read(root, &format!("chapters/{chapter}/faults.toml"));
        assert_eq!(faults, FAULTS.replace("src/room.rs", "src/pool.rs"));
    }
    assert_eq!(read(root, "chapters/ch01-two/steps/01-half/as-in-src"), "src/pool.rs\n");
    let page = read(root, PAGE_1);
    for name in [
        "`src/pool.rs`",
        "ch01/pool.rs/struct-Room",
        "again/ch00/pool.rs.md",
        "ch01-half/lib.rs/use/crate-pool.md",
    ] {
        assert!(page.contains(name), "{name}: {page}");
    }
}

#[test]
fn two_things_do_not_get_one_name() {
    let folder = course();
    let root = folder.path();
    let report = renamed(root, "ch00", "Room", "Other");
    assert_eq!((report.taken.len(), report.changed.len()), (2, 0), "{report}");
    assert_eq!(read(root, ROOM_1), ROOM);
    for (old, new) in
        [("Room", "a b"), ("src/room.rs", "pool"), ("src/room.rs", "a/pool.rs"), ("", "x")]
    {
        assert!(Rename::parse(old, new, Vec::new(), Vec::new(), false).is_err(), "{old} {new}");
    }
}
