//! One row of a listing.

use crate::apply_hunks::Mark;

#[derive(Clone, Debug)]
pub enum Row {
    Line {
        mark: Mark,
        html: String,
        /// Of no item that the listing is about: there to find the place.
        beside: bool,
    },
    /// Code of the file that is no part of this listing.
    Gap,
}
