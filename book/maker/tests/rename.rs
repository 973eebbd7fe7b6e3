//! A name becomes another one everywhere, from the chapter where it begins, and nothing else does.

use std::collections::BTreeSet;
use std::path::Path;

use bookmaker::fold::{fold, unfold};
use bookmaker::rename::{Rename, Report, rename};
use bookmaker::repository::Repository;
use under_git::{SETTINGS, about, git, read, write};

mod under_git;

const ROOM: &str = r#"//! How much `Room` there is.

pub struct Room {
    pub lent: usize,
}

impl Room {
    pub fn space(&self) -> usize {
        self.lent
    }
}

impl From<Other> for usize {
    fn from(other: Other) -> usize {
        let _ = include_str!("room.rs");
        let lent = other.lent;
        println!("{lent} {{lent}} lent");
        Room { lent }.space()
    }
}
"#;

const LIB: &str = "pub mod room;\n\nuse crate::room::Room;\n\npub fn space(room: Room) -> usize {\n    Room::space(&room) + room.lent\n}\n";

const PAGE: &str = "# Room\n\nThe room: `Room`, `Room::space()`, `space`, in `src/room.rs`, and `lent`.\n\n{{#include ../generated/ch01/room.rs/struct-Room+impl-Room.md}}\n{{#include ../generated/ch01/room.rs/impl-Room/fn-space.md}}\n{{#include ../generated/ch00/room.rs/struct-Room.md}}\n{{#include ../generated/ch01-half/lib.rs/use/crate-room.md}}\n";

const FAULTS: &str = "# `Room` of src/room.rs\n[[\"src/room.rs\"]]\nname = \"Room's\"\nstands = '''\nRoom { lent }\n'''\nbecomes = \"say();\\nRoom\"\nred = \"--test a Room\"\n";

const FILES: [(&str, &str); 5] = [
    ("chapters/ch01-two/src/room.rs", ROOM),
    ("chapters/ch01-two/src/lib.rs", LIB),
    ("chapters/ch01-two/steps/01-half/src/lib.rs", LIB),
    ("chapters/ch01-two/faults.toml", FAULTS),
    ("book/src/ch01/index.md", PAGE),
];

/// Two chapters that are the same, the second after a step, and a page for both.
fn course() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path();
    write(root, "book/course.json", SETTINGS);
    for package in ["ch00-sum", "ch01-two"] {
        let manifest = format!("[package]\nname = \"{package}\"\n{}", about(package));
        write(root, &format!("chapters/{package}/Cargo.toml"), &manifest);
        write(root, &format!("chapters/{package}/src/room.rs"), ROOM);
        write(
            root,
            &format!("chapters/{package}/src/lib.rs"),
            &format!("{LIB}\nfn end() {{}}\n"),
        );
    }
    FILES.iter().for_each(|(file, text)| write(root, file, text));
    write(root, "chapters/ch01-two/steps/as-in-src", "01-half/src/room.rs\n");
    write(root, "src/ground/src/lib.rs", "pub struct Room;\n");
    git(root, &["init", "-q"]);
    folder
}

/// The step's file is a change when the name becomes another one, and whole after it.
fn renamed(root: &Path, names: (&str, &str), inside: &[&str]) -> Report {
    fold(root, &BTreeSet::new()).expect("it fits");
    assert!(!root.join(FILES[2].0).exists());
    let repository = Repository::open(root).expect("a course");
    let inside = inside.iter().map(|part| part.to_string()).collect();
    let asked = Rename::parse(&repository, "ch01", names, inside, vec!["no such".into()]);
    let report = rename(root, &asked.expect("two names"), false).expect("git runs");
    let repository = Repository::open(root).expect("a course");
    unfold(root, repository.states()).expect("it was a change");
    report
}

#[test]
#[rustfmt::skip] // a table
fn what_each_form_renames() {
    // What stands in each of the five files, and becomes something else; all else stays.
    let forms = [
        ("Room", "Pool", [
            "Room>Pool", "Room>Pool", "Room>Pool", "`Room`>`Pool` | \nRoom>\nPool | nRoom>nPool",
            "`Room>`Pool | ch01/room.rs/struct-Room+impl-Room>ch01/room.rs/struct-Pool+impl-Pool | /impl-Room/>/impl-Pool/",
        ]),
        ("lent", "used", [
            "lent>used | {{used}} used\">{{lent}} lent\"", "lent>used", "lent>used", "lent>used", "`lent`>`used`",
        ]),
        ("Room::space", "free", [
            "fn space>fn free", "Room::space>Room::free", "Room::space>Room::free", "",
            "Room::space>Room::free | fn-space>fn-free",
        ]),
        (".lent", "used", [".lent>.used", ".lent>.used", ".lent>.used", "", ""]),
        ("src/room.rs", "pool.rs", [
            "\"room.rs>\"pool.rs", "mod room>mod pool | ::room>::pool", "mod room>mod pool | ::room>::pool",
            "src/room>src/pool", "src/room>src/pool | ch01/room>ch01/pool | crate-room>crate-pool",
        ]),
    ];
    for (old, new, expected) in forms {
        let folder = course();
        let root = folder.path();
        let report = renamed(root, (old, new), &[]);
        for ((file, before), changes) in FILES.iter().zip(expected) {
            let file = if old.ends_with(".rs") {
                file.replace("room.rs", new)
            } else {
                file.to_string()
            };
            let after = changes.split(" | ").filter_map(|change| change.split_once('>'));
            let after = after.fold(before.to_string(), |text, (old, new)| text.replace(old, new));
            assert_eq!(read(root, &file), after, "{old} {file}\n{report}");
        }
        assert_eq!(read(root, "chapters/ch00-sum/src/room.rs"), ROOM);
        assert_eq!(read(root, "src/ground/src/lib.rs"), "pub struct Room;\n");
        let has = |part: &str| report.left.iter().any(|line| line.contains(part));
        // What is prose, or of a type that isn't known, a person reads.
        assert!(old != "Room" || has("index.md:3: The room: "), "{report}");
        assert!(old != "Room::space" || has("room.rs:18: Room { lent }.space()"), "{report}");
    }
}

#[test]
fn only_where_it_is_asked_and_no_two_things_with_one_name() {
    let folder = course();
    let root = folder.path();
    let report = renamed(root, ("lent", "other"), &[]);
    assert_eq!((report.taken.len(), report.changed.len()), (1, 0), "{report}");
    assert_eq!(read(root, FILES[0].0), ROOM);
    renamed(root, ("Room", "Pool"), &["src/lib.rs"]);
    assert_eq!((read(root, FILES[3].0), read(root, FILES[0].0)), (FAULTS.into(), ROOM.into()));
    let repository = Repository::open(root).expect("a course");
    for names in
        [("Room", "a b"), ("src/room.rs", "pool"), ("src/room.rs", "a/pool.rs"), ("", "x")]
    {
        assert!(
            Rename::parse(&repository, "ch01", names, vec![], vec![]).is_err(),
            "{names:?}"
        );
    }
}
