//! What is not true in the book. Each check looks at one kind of fault and names the place.

mod beside;
mod blocks;
mod built;
mod coverage;
mod crates;
pub mod glossary;
mod links;
mod numbers;

use crate::book::Book;
use crate::fault::{Fault, PressError};
use crate::generate::{self, form, readme};
use crate::house::House;
use crate::sources::Sources;
use crate::story::Story;

pub use built::built_html;
pub use coverage::checkpoint_states;

type Check = fn(&Sources) -> Vec<Fault>;

const CHECKS: &[Check] = &[
    coverage::claims,
    coverage::checkpoints,
    beside::claims_have_prose,
    links::includes,
    links::links,
    numbers::measured,
    glossary::explained,
    glossary::names,
    blocks::rust_blocks,
    blocks::page_length,
    crates::budgets,
    crates::steps,
    crates::on_a_base,
    crates::in_a_module,
    crates::titles,
    crates::changelog,
    crates::one_main,
];

/// All faults that can be found by reading. Commands and checkpoints are run by [`crate::cargo`].
pub fn all(house: &House) -> Result<Vec<Fault>, PressError> {
    let mut book = Book::load(house)?;
    let story = Story::tell(house, &book);
    let (made, mut faults) = generate::expected(&Sources::of(house, &book, &story))?;
    faults.extend([book.faults.clone(), story.faults.clone()].concat());
    faults.extend(readme::stale(house)?);
    faults.extend(form::stale(house)?);
    book.add_whole(house, &made)?;
    let sources = Sources { house, book: &book, story: &story, made };
    for check in CHECKS {
        faults.extend(check(&sources));
    }
    faults.sort();
    faults.dedup();
    Ok(faults)
}
