//! What each fault changes is still there, exactly once: one that can't be put in guards nothing, and without this test it would
//! come to light only when all are put in. (Those of a page of the book are in the tests of `course`, which types it.)

use std::fs;
use std::path::{Path, PathBuf};

use faults::Fault;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn put_in(fault: &Fault, file: &Path) -> Result<String, String> {
    let text = fs::read_to_string(file);
    let text = text.map_err(|error| format!("{}: {error}", file.display()))?;
    fault.apply(&text).map_err(|error| format!("{}: {error}", file.display()))
}

#[test]
fn what_a_fault_of_the_engine_changes_is_there_once() {
    let chapters = fs::read_dir(root().join("chapters")).expect("the chapters");
    let chapters = chapters.map(|entry| entry.expect("a chapter").path());
    let chapters = chapters.map(|folder| (folder.join("faults.toml"), folder));
    let mut homes: Vec<(PathBuf, PathBuf)> =
        chapters.filter(|(home, _)| home.is_file()).collect();
    assert!(homes.len() >= 15, "{homes:?}");
    homes.push((root().join("tests/faults/ground.toml"), root()));
    let mut wrong = Vec::new();
    for (home, folder) in homes {
        for fault in faults::read(&home).expect("a home of faults") {
            let file = folder.join(fault.file.as_ref().expect("its file"));
            assert!(fault.red.len() <= 1, "{:?} has one test", fault.name);
            if fault.test().is_some() || !fault.check.is_empty() {
                wrong.extend(put_in(&fault, &file).err());
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_a_fault_of_a_script_or_a_style_changes_is_there_once() {
    let all =
        faults::read(&root().join("tests/faults/browser.toml")).expect("a home of faults");
    let (mut tried, mut wrong) = (0, Vec::new());
    for fault in &all {
        // A built file has a hash in its name. Pages and the search are there only when mdBook has built them.
        let Some(name) = fault.file.as_ref().map(|file| file.replace('*', "")) else {
            continue;
        };
        let files = ["book", "book/src"].map(|folder| root().join(folder).join(&name));
        if let Some(file) = files.iter().find(|file| file.is_file()) {
            tried += 1;
            wrong.extend(put_in(fault, file).err());
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(tried > all.len() / 2, "{tried} of {}", all.len());
}
