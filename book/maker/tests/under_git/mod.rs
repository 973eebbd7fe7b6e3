//! A course in a folder of its own, under Git.

use std::fs;
use std::path::Path;
use std::process::Command;

pub const SETTINGS: &str = "{\"words_per_page\": 1, \"illustrations\": 0, \"ground\": []}";

/// What a chapter says to tools.
pub fn about(title: &str) -> String {
    format!(
        "\n[dev-dependencies]\n\n[package.metadata.course]\ntitle = \"{title}\"\nbudget = 9\nways = [{{ flags = [] }}]\n"
    )
}

pub fn git(root: &Path, arguments: &[&str]) {
    let status =
        Command::new("git").args(arguments).current_dir(root).status().expect("git runs");
    assert!(status.success(), "git {arguments:?}");
}

pub fn write(root: &Path, file: &str, text: &str) {
    let path = root.join(file);
    fs::create_dir_all(path.parent().expect("a file has a folder"))
        .expect("folders can be made");
    fs::write(path, text).expect("files can be written");
}

pub fn read(root: &Path, file: &str) -> String {
    fs::read_to_string(root.join(file)).expect(file)
}
