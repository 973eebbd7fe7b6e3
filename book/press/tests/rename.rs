//! A name becomes another one everywhere, from the chapter where it begins, and nothing else does.

use std::path::Path;

use press::house::House;
use press::rename::{Rename, Report, rename};
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
    Room::twice(lent).space()
}

impl Default for Room {
    fn default() -> Room {
        Room::twice(0)
    }
}
"#;

const LIB: &str = "pub mod room;\n\nuse crate::room::{Room, space};\n\npub fn all(room: Room) -> usize {\n    space(room.lent) + room.space()\n}\n";

const PAGE: &str = "# Room\n\nThe room: `Room`, `Room::space()`, `space`, in `src/room.rs`, and `lent`.\n\n{{#include ../generated/ch01/room.rs/struct-Room+impl-Room.md}}\n{{#include ../generated/ch01/room.rs/impl-Room/fn-space+fn-twice.md}}\n{{#include ../generated/again/ch00/room.rs.md}}\n{{#include ../generated/ch01-half/lib.rs/use/crate-room.md}}\n";

const FAULTS: &str = "# `Room` of src/room.rs\n[[fault]]\nname = \"Room's\"\nfile = \"src/room.rs\"\nstands = '''\nRoom { lent }\n'''\nbecomes = \"say(\\\"Room\\\\n\\\");\\nRoom\"\nred = \"--test a Room\"\n";

/// Two chapters that are the same, the second after a step, and a page for both.
fn course() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path();
    write(root, "book/course.json", SETTINGS);
    for package in ["ch00-sum", "ch01-two"] {
        let about = format!("[package]\nname = \"{package}\"\n{}", about(package));
        let write = |file: &str, text: &str| {
            write(root, &format!("chapters/{package}/{file}"), text);
        };
        write("Cargo.toml", &about);
        write("src/lib.rs", LIB);
        write("src/room.rs", ROOM);
        write("faults.toml", FAULTS);
    }
    write(root, "chapters/ch01-two/steps/01-half/src/lib.rs", &format!("//! Half.\n\n{LIB}"));
    write(root, "chapters/ch01-two/steps/01-half/as-in-src", "src/room.rs\n");
    write(root, "book/src/ch01/index.md", PAGE);
    write(root, "src/ground/lib.rs", "pub struct Room;\n");
    git(root, &["init", "-q"]);
    folder
}

fn renamed(root: &Path, from: &str, old: &str, new: &str) -> Report {
    let asked = Rename::parse(old, new, Vec::new(), Vec::new(), false).expect("two names");
    rename(&House::open(root).expect("a course"), from, &asked, false).expect("git runs")
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
    assert_eq!(read(root, "src/ground/lib.rs"), "pub struct Room;\n");
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
fn what_stands_after_a_dot() {
    let folder = course();
    let root = folder.path();
    let report = renamed(root, "ch01", ".space", "unused");
    assert_eq!(read(root, ROOM_1), ROOM.replace(").space()", ").unused()"), "{report}");
    let lib = read(root, "chapters/ch01-two/src/lib.rs");
    assert_eq!(lib, LIB.replace("room.space()", "room.unused()"));
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
        assert_eq!(read(root, &format!("chapters/{chapter}/src/pool.rs")), ROOM);
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
