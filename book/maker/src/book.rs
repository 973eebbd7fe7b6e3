//! The pages of the book in the order of its summary.

use std::path::Path;

use crate::fault::{BookError, Fault, files_under, read};
use crate::generate::{Files, whole};
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
        Book::read(&repository.book())
    }

    /// The pages in this folder.
    pub fn read(book: &Path) -> Result<Book, BookError> {
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
                pages.push(Page::load(book, &link.target)?);
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
        for page in whole::pages(&repository.root)? {
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

/// Where a relative address on a page leads, relative to `book/src`; nothing when it leaves the book's folder.
pub fn resolve(page: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The way from a page to a file of the book, both relative to `book/src`.
pub fn way(page: &str, target: &str) -> String {
    format!("{}{target}", "../".repeat(page.matches('/').count()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lead_where_they_say() {
        assert_eq!(
            resolve("ch02/a.md", "../generated/x.md").as_deref(),
            Some("generated/x.md")
        );
        assert_eq!(resolve("a.md", "./b.md").as_deref(), Some("b.md"));
        assert_eq!(resolve("a.md", "../b.md"), None);
        assert_eq!(way("ch02/a.md", "generated/x.html"), "../generated/x.html");
    }
}
