//! What is not true in the book. Each check looks at one kind of fault and names the place.

mod beside;
mod blocks;
mod built;
mod coverage;
mod crates;
pub mod glossary;
mod links;
mod numbers;
mod rooms;

use crate::book::Book;
use crate::claims::Claims;
use crate::fault::{BookError, Fault};
use crate::generate::{self, form, readme};
use crate::repository::Repository;
use crate::sources::Sources;

pub use built::built_html;
pub use coverage::checkpoint_states;

type Check = fn(&Sources) -> Vec<Fault>;

const CHECKS: &[Check] = &[
    coverage::claims,
    coverage::checkpoints,
    rooms::rooms,
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
pub fn all(repository: &Repository) -> Result<Vec<Fault>, BookError> {
    let mut book = Book::load(repository)?;
    let claims = Claims::tell(repository, &book);
    let (made, mut faults) = generate::expected(&Sources::of(repository, &book, &claims))?;
    faults.extend([book.faults.clone(), claims.faults.clone()].concat());
    faults.extend(readme::stale(repository)?);
    faults.extend(form::stale(repository)?);
    book.add_whole(repository, &made)?;
    let sources = Sources { repository, book: &book, claims: &claims, made };
    for check in CHECKS {
        faults.extend(check(&sources));
    }
    faults.sort();
    faults.dedup();
    Ok(faults)
}
