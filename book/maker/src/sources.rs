//! What is made and what is checked is made and checked of this.

use crate::book::Book;
use crate::claims::Claims;
use crate::generate::Files;
use crate::repository::Repository;

pub struct Sources<'a> {
    pub repository: &'a Repository,
    pub book: &'a Book,
    pub claims: &'a Claims,
    /// What was made for the pages, where that is asked for.
    pub made: Files,
}

impl<'a> Sources<'a> {
    pub fn of(repository: &'a Repository, book: &'a Book, claims: &'a Claims) -> Sources<'a> {
        Sources { repository, book, claims, made: Files::new() }
    }
}
