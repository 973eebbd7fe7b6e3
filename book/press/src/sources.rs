//! What is made and what is checked is made and checked of this.

use crate::book::Book;
use crate::generate::Files;
use crate::house::House;
use crate::story::Story;

pub struct Sources<'a> {
    pub house: &'a House,
    pub book: &'a Book,
    pub story: &'a Story,
    /// What was made for the pages, where that is asked for.
    pub made: Files,
}

impl<'a> Sources<'a> {
    pub fn of(house: &'a House, book: &'a Book, story: &'a Story) -> Sources<'a> {
        Sources { house, book, story, made: Files::new() }
    }
}
