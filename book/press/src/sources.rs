//! What is made and what is checked is made and checked of this.

use crate::book::Book;
use crate::house::House;
use crate::story::Story;

pub struct Sources<'a> {
    pub house: &'a House,
    pub book: &'a Book,
    pub story: &'a Story,
}
