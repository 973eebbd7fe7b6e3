//! The pages of the book in the order of its summary.

use std::path::Path;

use crate::fault::{BookError, Fault, files_under, read};
use crate::made::{Files, whole_pages};
use crate::page::Page;
use crate::repository::Repository;

#[derive(Clone, Debug)]
pub struct Book {
    /// The table of contents.
    pub summary: Page,
    /// In reading order.
    pub pages: Vec<Page>,
    /// What is wrong with the summary itself.
    pub faults: Vec<Fault>,
}

const SUMMARY: &str = "SUMMARY.md";

impl Book {
    pub fn load(repository: &Repository) -> Result<Book, BookError> {
        Book::read(&repository.root)
    }

    /// The pages of the repository with this root.
    pub fn read(root: &Path) -> Result<Book, BookError> {
        let book = &root.join("book/src");
        let summary = Page::parse(SUMMARY, &read(&book.join(SUMMARY))?);
        let (mut pages, mut faults) = (Vec::<Page>::new(), Vec::new());
        for link in &summary.links {
            let seen = pages.iter().any(|page| page.path == link.target);
            if seen {
                let message = format!("{} is listed twice", link.target);
                faults.push(Fault::at(summary.place(), link.line, message));
            } else if link.target.is_empty() || !book.join(&link.target).is_file() {
                let message = format!("the page '{}' is not there", link.target);
                faults.push(Fault::at(summary.place(), link.line, message));
            } else {
                pages.push(Page::load(root, &link.target)?);
            }
        }
        let mut loaded = Book { summary, pages, faults };
        loaded.find_strays(book)?;
        Ok(loaded)
    }

    pub fn page(&self, path: &str) -> Option<&Page> {
        self.pages.iter().find(|page| page.path == path)
    }

    /// The pages of whole files, which are in no summary and no folder.
    pub fn add_whole(
        &mut self,
        repository: &Repository,
        made: &Files,
    ) -> Result<(), BookError> {
        for page in whole_pages(&repository.root)? {
            let text = made.get(&page.name).map_or("", String::as_str);
            self.pages.push(Page::parse(&page.path(), text));
        }
        Ok(())
    }

    /// Pages without those that are made.
    pub fn written(&self) -> impl Iterator<Item = &Page> {
        self.pages.iter().filter(|page| !page.path.starts_with("generated/"))
    }

    fn find_strays(&mut self, book: &Path) -> Result<(), BookError> {
        for path in files_under(book)? {
            let page = path.ends_with(".md") && path != SUMMARY;
            if page && self.page(&path).is_none() {
                self.faults.push(Fault::in_file(
                    format!("book/src/{path}"),
                    "the summary does not list this page",
                ));
            }
        }
        Ok(())
    }
}
