//! The book as mdBook builds it.

use std::path::Path;

use bookmaker::fault::Fault;
use bookmaker::proofread;
use bookmaker::repository::Repository;

#[test]
fn the_built_book_is_whole_and_loads_nothing_from_another_host() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let repository = Repository::open(&root).expect("the course can be read");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut book = mdbook_driver::MDBook::load(repository.root.join("book"))
        .expect("mdBook reads the book");
    book.config.build.build_dir = folder.path().to_path_buf();
    book.build().expect("mdBook builds the book");
    let faults = proofread::built_html(folder.path()).expect("the built book can be read");
    let lines: Vec<String> = faults.iter().map(Fault::to_string).collect();
    assert!(lines.is_empty(), "{} faults in the book:\n{}", lines.len(), lines.join("\n"));
}
